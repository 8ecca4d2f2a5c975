package io.slicewise.workload.tpc;

import io.slicewise.workload.target.Database;
import java.util.LinkedHashMap;
import java.util.Map;

/** The JMeter properties of the plans' database. */
final class DatabaseProperties {
  static final String PASSWORD = "database-password";

  private DatabaseProperties() {}

  /** All properties except the password, which is passed as a secret. */
  static Map<String, String> of(Database database, String schema) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("database", database.url());
    properties.put("database-user", database.user());
    properties.put("schema", schema);
    return properties;
  }
}
