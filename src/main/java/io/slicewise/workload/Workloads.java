package io.slicewise.workload;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Options;
import io.slicewise.workload.tpc.StrideType;
import io.slicewise.workload.tpc.TpcbType;
import io.slicewise.workload.tpc.TpchType;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All workloads, by name. */
public final class Workloads {
  private static final List<WorkloadType> TYPES =
      List.of(
          new WebAppType(),
          new Vps.Type(),
          new PortalType(),
          new MailLoad.Type(),
          new CpuSort.Type(),
          new TpchType(),
          new TpcbType(),
          new StrideType(),
          new Observe.Type(),
          new OwnPlan.Type());

  private Workloads() {}

  /** All workloads, in the order in which they are listed. */
  public static List<WorkloadType> types() {
    return TYPES;
  }

  /** Their names. */
  public static List<String> names() {
    return TYPES.stream().map(WorkloadType::name).toList();
  }

  public static Optional<WorkloadType> type(String name) {
    return TYPES.stream().filter(type -> type.name().equals(name)).findFirst();
  }

  /** The included plan of a workload, if any. */
  public static Optional<Path> shippedPlan(String name) {
    return Optional.of(WorkloadRequest.shipped(name)).filter(Files::isReadable);
  }

  /**
   * Returns the workload with a name; passwords come from this process's environment.
   *
   * @param plan a JMeter plan instead of the workload's own; required for {@code plan}
   * @param target the URL of the first request; becomes the JMeter properties {@code protocol},
   *     {@code host}, {@code port} and {@code path}
   * @param properties further JMeter properties
   * @param options the workload's own, as {@link WorkloadType#options} describes them
   * @throws SlicewiseException if the name is unknown, something required is missing, or a file
   *     cannot be read
   */
  public static Workload of(
      String name,
      Optional<Path> plan,
      Optional<URI> target,
      Map<String, String> properties,
      Map<String, Object> options) {
    return of(
        name, new WorkloadRequest(plan, target, properties, new Options(options), System.getenv()));
  }

  static Workload of(String name, WorkloadRequest request) {
    return type(name)
        .orElseThrow(
            () ->
                SlicewiseException.input(
                    "workload '" + name + "' is unknown",
                    "use one of " + String.join(", ", names())))
        .make(request);
  }
}
