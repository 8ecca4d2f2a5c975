package io.slicewise.workload.target;

import io.slicewise.workload.target.SampleApplication.ConnectionPool;
import io.slicewise.workload.target.SampleData.Accounts;
import io.slicewise.workload.target.Sessions.Credentials;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The statements of the portal. */
record PortalStore(ConnectionPool pool) {
  /** The number of lists on the main site. */
  private static final int SHOWN = 10;

  private static final String SIGN_IN = Accounts.query(PortalSchema.NAME);
  private static final String NEWEST =
      "SELECT number, title, owner FROM %s ORDER BY number DESC LIMIT %s"
          .formatted(PortalSchema.in("lists"), SHOWN);
  private static final String ADD_LIST =
      "INSERT INTO " + PortalSchema.in("lists") + " (number, title, owner) VALUES (?, ?, ?)";
  private static final String ADD_DOCUMENT =
      "INSERT INTO %s (list, name, owner, content) VALUES (?, ?, ?, ?)"
          .formatted(PortalSchema.in("documents"));
  private static final String DOCUMENT =
      "SELECT content FROM " + PortalSchema.in("documents") + " WHERE list = ? AND name = ?";

  /** One list as the main site shows it. */
  record Listed(long number, String title, String owner) {}

  boolean accepts(Credentials credentials) {
    return pool.run("checking the sign-in", SIGN_IN, credentials::matches);
  }

  List<Listed> newest() {
    return pool.run(
        "reading the lists",
        NEWEST,
        statement -> {
          List<Listed> lists = new ArrayList<>();
          try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
              lists.add(new Listed(rows.getLong(1), rows.getString(2), rows.getString(3)));
            }
          }
          return lists;
        });
  }

  void add(Listed list) {
    pool.run(
        "creating a list",
        ADD_LIST,
        statement -> {
          statement.setLong(1, list.number);
          statement.setString(2, list.title);
          statement.setString(3, list.owner);
          return statement.executeUpdate();
        });
  }

  void store(long list, String name, String owner, byte[] content) {
    pool.run(
        "storing a document",
        ADD_DOCUMENT,
        statement -> {
          statement.setLong(1, list);
          statement.setString(2, name);
          statement.setString(3, owner);
          statement.setBytes(4, content);
          return statement.executeUpdate();
        });
  }

  Optional<byte[]> document(long list, String name) {
    return pool.run(
        "reading a document",
        DOCUMENT,
        statement -> {
          statement.setLong(1, list);
          statement.setString(2, name);
          try (ResultSet rows = statement.executeQuery()) {
            return rows.next() ? Optional.of(rows.getBytes(1)) : Optional.empty();
          }
        });
  }
}
