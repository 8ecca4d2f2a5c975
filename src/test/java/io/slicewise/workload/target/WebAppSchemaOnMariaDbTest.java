package io.slicewise.workload.target;

import io.slicewise.KeepsTheMachineBusy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The same on MariaDB, where a schema is a database of the whole server. */
@KeepsTheMachineBusy
@OnMariaDb
@ResourceLock("mariadb")
@Tag("thorough")
class WebAppSchemaOnMariaDbTest extends WebAppSchemaTest {}
