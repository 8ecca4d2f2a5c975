package io.slicewise.workload.target;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/**
 * The signed-in users, by the session id in a cookie; the least recently used session is dropped if
 * there are too many.
 */
final class Sessions {
  private static final String COOKIE = "slicewise-session";
  private static final int MOST = 10_000;
  private static final int ID_BYTES = 16;

  private final SecureRandom random = new SecureRandom();
  private final Map<String, Credentials> byId =
      new LinkedHashMap<>(1024, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Credentials> eldest) {
          return size() > MOST;
        }
      };

  /** The user of the request's session. */
  Optional<Credentials> of(Request request) {
    return Request.getCookies(request).stream()
        .filter(cookie -> cookie.getName().equals(COOKIE))
        .findFirst()
        .flatMap(cookie -> find(cookie.getValue()));
  }

  /** Opens a session and sets its cookie on the response. */
  void open(Credentials credentials, Response response) {
    Response.addCookie(
        response,
        HttpCookie.build(COOKIE, open(credentials))
            .path("/")
            .httpOnly(true)
            .sameSite(HttpCookie.SameSite.STRICT)
            .build());
  }

  private synchronized Optional<Credentials> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  private synchronized String open(Credentials credentials) {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    String id = HexFormat.of().formatHex(bytes);
    byId.put(id, credentials);
    return id;
  }

  /**
   * A user and a password hash. MD5 is what the 2010 study's application used; it keeps the
   * workload the same and protects nothing.
   *
   * @param passwordMd5 32 lower-case hexadecimal digits
   */
  record Credentials(String user, String passwordMd5) {
    static Credentials of(String user, String password) {
      try {
        byte[] digest =
            MessageDigest.getInstance("MD5").digest(password.getBytes(StandardCharsets.UTF_8));
        return new Credentials(user, HexFormat.of().formatHex(digest));
      } catch (NoSuchAlgorithmException missing) {
        throw new IllegalStateException("every Java platform has MD5", missing);
      }
    }

    /** Whether the sign-in query finds these credentials. */
    boolean matches(PreparedStatement signIn) throws SQLException {
      signIn.setString(1, user);
      signIn.setString(2, passwordMd5);
      try (ResultSet rows = signIn.executeQuery()) {
        return rows.next();
      }
    }
  }
}
