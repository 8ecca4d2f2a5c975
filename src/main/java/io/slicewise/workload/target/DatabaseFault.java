package io.slicewise.workload.target;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import java.sql.SQLException;
import java.util.Set;

/**
 * Turns the exceptions of a driver into one sentence. The kinds are distinguished by SQLSTATE class
 * (ISO/IEC 9075-2, clause 24), which PostgreSQL and MariaDB/MySQL both set, and by MariaDB's own
 * number if its state is general.
 */
final class DatabaseFault {
  private static final int MARIADB_UNKNOWN_DATABASE = 1049;

  /** Disk full and table full, which have the general state in MariaDB. */
  private static final Set<Integer> MARIADB_OUT_OF_ROOM = Set.of(1021, 1114);

  private DatabaseFault() {}

  static SlicewiseException of(Database database, String doing, SQLException fault) {
    String state = String.valueOf(fault.getSQLState());
    String where = database.url();
    if (String.valueOf(fault.getMessage()).startsWith("No suitable driver")) {
      return SlicewiseException.input(
          "there is no JDBC driver for " + where,
          "PostgreSQL's driver is included; put the jar of another driver into the lib directory",
          fault);
    }
    if (state.startsWith("28") || asksForPassword(fault)) {
      return blocked(
          "database " + where + " refuses user '" + database.user() + "' or the password",
          "check the user and the source of the password",
          fault);
    }
    if (state.equals("3D000") || fault.getErrorCode() == MARIADB_UNKNOWN_DATABASE) {
      return blocked(
          "the database named in " + where + " does not exist",
          "create it, or name another one",
          fault);
    }
    if (state.startsWith("08")) {
      return blocked(
          "database " + where + " does not answer: " + firstLine(fault),
          "check that the server runs and that its port is reachable from here",
          fault);
    }
    if (state.startsWith("53") || MARIADB_OUT_OF_ROOM.contains(fault.getErrorCode())) {
      return blocked(
          "database " + where + " is out of space while " + doing + ": " + firstLine(fault),
          "free disk space, memory or connections on the server",
          fault);
    }
    return blocked(
        "database " + where + " failed while " + doing + ": " + firstLine(fault), "", fault);
  }

  /**
   * Whether the password is missing, for which PostgreSQL's driver has the state of a lost
   * connection.
   */
  private static boolean asksForPassword(SQLException fault) {
    return "08004".equals(fault.getSQLState())
        && String.valueOf(fault.getMessage()).contains("no password was provided");
  }

  private static SlicewiseException blocked(String message, String hint, SQLException fault) {
    return new SlicewiseException(ErrorKind.NOT_READY, message, hint, fault);
  }

  private static String firstLine(SQLException fault) {
    return String.valueOf(fault.getMessage()).lines().findFirst().orElse("no reason given");
  }
}
