package io.slicewise.workload;

import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The portal: its main site is opened, a list is created, a document is stored in it and read back.
 */
record Portal(Path file, URI target, Map<String, String> properties) implements Workload {
  static final class Type implements WorkloadType {
    @Override
    public String name() {
      return "portal";
    }

    @Override
    public String summary() {
      return "A portal: its site is opened, a list made, a document stored in the database and read"
          + " back.";
    }

    @Override
    public String mainDomains() {
      return "the portal and its database";
    }

    @Override
    public Need target() {
      return Need.MUST;
    }

    @Override
    public List<Option> options() {
      return DatabaseOptions.options(
          false, "the portal's database, made anew for every trial; left out: as it is");
    }

    @Override
    public Workload make(WorkloadRequest request) {
      return new Portal(
          request.planOr(name()),
          request
              .target()
              .orElseThrow(() -> WorkloadRequest.missing(name(), "target: where the portal is")),
          request.propertiesWithTarget());
    }
  }

  Portal {
    properties = Map.copyOf(properties);
  }

  @Override
  public String name() {
    return "portal";
  }

  @Override
  public Optional<Path> plan() {
    return Optional.of(file);
  }

  @Override
  public void setUp() {
    // The portal looks after its own database.
  }

  @Override
  public Optional<String> complaint() {
    return new Probe(target).complaint(HttpRequest.newBuilder(target), answer -> Optional.empty());
  }

  @Override
  public void tearDown() {
    // The portal looks after its own database.
  }
}
