package io.slicewise.workload;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.Measure;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.load.jtl.GeneratorSamples;
import io.slicewise.load.jtl.GeneratorSamples.SampleCount;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.load.jtl.SampleSummary;
import io.slicewise.ssh.Connection;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.ssh.Shells;
import io.slicewise.workload.target.BubbleSort;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The bubble sort of the 2007 study: it only computes. A change here is the scheduler's; a change
 * that appears only in other workloads comes from input and output.
 *
 * @param sizes lengths of the lists, each with its own label
 */
record CpuSort(
    Optional<Path> plan, Map<String, String> properties, Connection guest, List<Integer> sizes)
    implements Workload {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Too short to have an effect. */
  private static final BubbleSort TRIAL = new BubbleSort(10, 1);

  static final class Type extends WorkloadType {
    Type() {
      super(
          "cpu",
          "The bubble sort of the 2007 study, over SSH: a control that does no input or output.",
          "the guest that sorts");
    }

    @Override
    public List<Option> options() {
      return Option.join(
          MachineOptions.ofGuest(
              Option.needed(
                  MachineOptions.GUEST,
                  new OptionKind.Text(),
                  "the address of the guest that sorts, or an alias of SSH's configuration")),
          List.of(
              Option.withDefault(
                  "sizes",
                  new OptionKind.Many(new OptionKind.Whole(2, BubbleSort.LONGEST), 1, 8),
                  List.of(2000),
                  "lengths of the lists; each has its own label")));
    }

    @Override
    public Workload make(WorkloadRequest request) {
      Connection guest =
          MachineOptions.guest(request.options())
              .orElseThrow(
                  () ->
                      WorkloadRequest.missing(
                          name(), "guest: the address of the guest that sorts"));
      List<Integer> sizes =
          request.options().many("sizes", Number.class).stream().map(Number::intValue).toList();
      Map<String, String> properties = MachineOptions.properties(guest);
      properties.put("sizes", sizes.stream().map(String::valueOf).collect(Collectors.joining(",")));
      properties.put("sample_variables", SortSampler.USER + "," + SortSampler.SYSTEM);
      properties.put("on-error", "continue");
      properties.putAll(request.properties());
      return new CpuSort(Optional.of(request.planOr(name())), properties, guest, sizes);
    }
  }

  CpuSort {
    properties = Map.copyOf(properties);
    sizes = List.copyOf(sizes);
  }

  /** Only ends sorts that a killed load has left running. */
  @Override
  public void setUp() {
    inGuest(
        guest -> {
          guest.endLeftOnes();
          guest.sort(TRIAL, PATIENCE);
        });
  }

  @Override
  public Optional<String> complaint() {
    try {
      inGuest(guest -> guest.sort(TRIAL, PATIENCE));
      return Optional.empty();
    } catch (SlicewiseException fault) {
      return Optional.of(fault.inOneLine());
    }
  }

  @Override
  public void tearDown() {
    inGuest(SortingGuest::endLeftOnes);
  }

  private void inGuest(Consumer<SortingGuest> work) {
    try (RemoteShell shell = Shells.open(guest)) {
      work.accept(new SortingGuest(shell));
    } catch (RemoteShellException fault) {
      throw new SlicewiseException(ErrorKind.NOT_READY, fault.getMessage(), fault.hint(), fault);
    }
  }

  /**
   * For each list, the CPU time of one sort in user and system mode, and the ratio of the elapsed
   * time to it: 1 means that the guest never waited.
   */
  @Override
  public List<Measure> measures(Reduction reduction, List<GeneratorSamples> samples) {
    Map<String, CpuTimes> times = CpuTimes.read(samples, reduction.window());
    Map<String, SampleSummary> byLabel = reduction.byLabel();
    return sizes.stream()
        .flatMap(
            size -> {
              String label = SortSampler.label(size);
              CpuTimes cpu = times.getOrDefault(label, CpuTimes.NONE);
              double stretch =
                  byLabel.containsKey(label)
                      ? byLabel.get(label).responseTimes().mean() / 1000 / cpu.seconds()
                      : Double.NaN;
              return List.of(
                  new Measure("user-" + size, "s", false, cpu.userMillis() / 1000),
                  new Measure("system-" + size, "s", false, cpu.systemMillis() / 1000),
                  new Measure("stretch-" + size, "", false, stretch))
                  .stream();
            })
        .toList();
  }

  /**
   * The mean CPU times that guests reported for the sorts of one label, in milliseconds; {@code
   * NaN} if none did.
   */
  record CpuTimes(long sorts, double userMillis, double systemMillis) {
    static final CpuTimes NONE = new CpuTimes(0, Double.NaN, Double.NaN);

    double seconds() {
      return (userMillis + systemMillis) / 1000;
    }

    private CpuTimes with(double user, double system) {
      double before = (double) sorts / (sorts + 1);
      double share = 1.0 / (sorts + 1);
      return sorts == 0
          ? new CpuTimes(1, user, system)
          : new CpuTimes(
              sorts + 1,
              userMillis * before + user * share,
              systemMillis * before + system * share);
    }

    /** Returns the times by label, for sorts that ended inside the window. */
    static Map<String, CpuTimes> read(List<GeneratorSamples> samples, Window window) {
      Map<String, CpuTimes> times = new LinkedHashMap<>();
      for (GeneratorSamples file : samples) {
        for (Sort sort : file.count(new Sorts(file.window(window))).all()) {
          times.merge(
              sort.label(),
              NONE.with(sort.userMillis(), sort.systemMillis()),
              (before, one) -> before.with(one.userMillis, one.systemMillis));
        }
      }
      return times;
    }

    private record Sort(String label, double userMillis, double systemMillis)
        implements Serializable {}

    private record SortList(List<Sort> all) implements Serializable {}

    /** The sorts of one file that ended inside the window. */
    private record Sorts(Window window) implements SampleCount<SortList> {
      @Override
      public SortList of(Path samples) {
        List<Sort> sorts = new ArrayList<>();
        SampleRows.read(
            samples,
            row -> {
              if (!row.text(SortSampler.USER).isEmpty() && window.contains(row.ended())) {
                sorts.add(
                    new Sort(
                        row.text("label"),
                        Double.parseDouble(row.text(SortSampler.USER)),
                        Double.parseDouble(row.text(SortSampler.SYSTEM))));
              }
            });
        return new SortList(sorts);
      }

      @Override
      public Class<SortList> type() {
        return SortList.class;
      }
    }
  }
}
