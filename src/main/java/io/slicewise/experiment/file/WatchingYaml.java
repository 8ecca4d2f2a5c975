package io.slicewise.experiment.file;

import io.slicewise.base.units.DurationText;
import io.slicewise.experiment.Login;
import io.slicewise.experiment.Watching;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes the {@code logins} and {@code watch} parts of an experiment. */
final class WatchingYaml {
  private WatchingYaml() {}

  /** Adds both parts, where the experiment has them. */
  static void put(Watching watching, Map<String, Object> tree) {
    if (!watching.logins().isEmpty()) {
      Map<String, Object> logins = new LinkedHashMap<>();
      watching.logins().forEach((name, login) -> logins.put(name, login(login)));
      tree.put("logins", logins);
    }
    Map<String, Object> watch = new LinkedHashMap<>();
    watching.series().ifPresent(series -> watch.put("series", DurationText.of(series)));
    if (!watching.needed().isEmpty()) {
      watch.put("needed", watching.needed());
    }
    if (!watch.isEmpty()) {
      tree.put("watch", watch);
    }
  }

  private static Map<String, Object> login(Login login) {
    Map<String, Object> map = new LinkedHashMap<>();
    login.address().ifPresent(address -> map.put(LoginsKind.ADDRESS, address));
    login.user().ifPresent(user -> map.put("user", user));
    login.port().ifPresent(port -> map.put("port", port));
    login.identity().ifPresent(path -> map.put("identity", path.toString()));
    login.knownHosts().ifPresent(path -> map.put("known-hosts", path.toString()));
    login.service().ifPresent(service -> map.put("service", service));
    if (!login.disks().isEmpty()) {
      map.put("disks", login.disks());
    }
    map.put(LoginsKind.STORAGE, login.storage());
    return map;
  }
}
