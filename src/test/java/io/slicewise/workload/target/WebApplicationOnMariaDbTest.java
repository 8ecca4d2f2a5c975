package io.slicewise.workload.target;

import io.slicewise.KeepsTheMachineBusy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The web application on MariaDB, as in the 2010 study. */
@KeepsTheMachineBusy
@OnMariaDb
@ResourceLock("mariadb")
@Tag("thorough")
class WebApplicationOnMariaDbTest extends WebApplicationTest {}
