package io.slicewise.target;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Who is signed in, by session id; the longest unused session goes when there are too many. */
final class Sessions {
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

  synchronized Optional<Credentials> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  synchronized String open(Credentials credentials) {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    String id = HexFormat.of().formatHex(bytes);
    byId.put(id, credentials);
    return id;
  }
}
