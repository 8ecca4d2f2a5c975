package io.slicewise.target;

import org.junit.jupiter.api.parallel.ResourceLock;

/** The portal on MariaDB. */
@OnMariaDb
@ResourceLock("mariadb")
class PortalApplicationOnMariaDbTest extends PortalApplicationTest {}
