package io.slicewise.target;

import org.junit.jupiter.api.parallel.ResourceLock;

/** The web application on MariaDB, as in the 2010 study. */
@OnMariaDb
@ResourceLock("mariadb")
class WebApplicationOnMariaDbTest extends WebApplicationTest {}
