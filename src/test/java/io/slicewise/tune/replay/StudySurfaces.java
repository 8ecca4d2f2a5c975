package io.slicewise.tune.replay;

import io.slicewise.evidence.published.ProfileMeans;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The throughputs of the 2010 study, as published. */
final class StudySurfaces {
  private static final Path TABLE = Path.of("src/test/resources/published/devine-2010-web-app.csv");

  private StudySurfaces() {}

  static List<Surface> all() {
    return ProfileMeans.read(TABLE, Optional.empty()).loads().entrySet().stream()
        .map(load -> surface(load.getKey(), load.getValue()))
        .toList();
  }

  private static Surface surface(int users, List<ProfileMeans.Row> rows) {
    return new Surface(
        users,
        rows.stream()
            .map(row -> new Surface.Profile(row.profile(), row.mean(), row.deviation()))
            .toList());
  }
}
