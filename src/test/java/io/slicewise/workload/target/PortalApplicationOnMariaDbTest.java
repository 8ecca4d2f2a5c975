package io.slicewise.workload.target;

import io.slicewise.KeepsTheMachineBusy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The portal on MariaDB. */
@KeepsTheMachineBusy
@OnMariaDb
@ResourceLock("mariadb")
@Tag("thorough")
class PortalApplicationOnMariaDbTest extends PortalApplicationTest {}
