package io.slicewise.workload.target;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import java.sql.SQLException;
import java.util.Set;

/**
 * Turns what a driver throws into one sentence. The kinds are told apart by SQLSTATE class (ISO/IEC
 * 9075-2, clause 24), which PostgreSQL and MariaDB/MySQL both set, and by MariaDB's own number
 * where it sets a general one.
 */
final class DatabaseFault {
  private static final int MARIADB_UNKNOWN_DATABASE = 1049;

  /** Disk full, table full: MariaDB gives both the general state. */
  private static final Set<Integer> MARIADB_OUT_OF_ROOM = Set.of(1021, 1114);

  private DatabaseFault() {}

  static SlicewiseException of(Database database, String doing, SQLException fault) {
    String state = String.valueOf(fault.getSQLState());
    String where = database.url();
    if (String.valueOf(fault.getMessage()).startsWith("No suitable driver")) {
      return new SlicewiseException(
          ErrorKind.INPUT,
          "there is no JDBC driver for " + where,
          "PostgreSQL's driver is included; put another one's jar into the lib directory",
          fault);
    }
    if (state.startsWith("28") || asksForPassword(fault)) {
      return blocked(
          "database " + where + " refuses user '" + database.user() + "' or the password",
          "check the user and where the password comes from",
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
          "check that the server runs and that its port can be reached from here",
          fault);
    }
    if (state.startsWith("53") || MARIADB_OUT_OF_ROOM.contains(fault.getErrorCode())) {
      return blocked(
          "database " + where + " is out of room while " + doing + ": " + firstLine(fault),
          "free disk space, memory or connections on the server",
          fault);
    }
    return blocked(
        "database " + where + " failed while " + doing + ": " + firstLine(fault), "", fault);
  }

  /** PostgreSQL's driver gives a missing password the state of a lost connection. */
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
