package io.slicewise.workload.tpc;

import io.slicewise.workload.target.Database;
import java.util.LinkedHashMap;
import java.util.Map;

/** The names by which the plans ask for their database. */
final class DatabaseProperties {
  static final String PASSWORD = "database-password";

  private DatabaseProperties() {}

  /** All but the password, which goes another way. */
  static Map<String, String> of(Database database, String schema) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("database", database.url());
    properties.put("database-user", database.user());
    properties.put("schema", schema);
    return properties;
  }
}
