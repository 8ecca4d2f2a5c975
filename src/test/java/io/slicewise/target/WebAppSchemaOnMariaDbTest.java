package io.slicewise.target;

import org.junit.jupiter.api.parallel.ResourceLock;

/** The same on MariaDB, where a schema is a database of the whole server. */
@OnMariaDb
@ResourceLock("mariadb")
class WebAppSchemaOnMariaDbTest extends WebAppSchemaTest {}
