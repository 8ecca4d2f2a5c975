package io.slicewise.workload.tpc;

import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.load.jtl.GeneratorSamples;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.workload.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads of every n-th row of a table: how many more bytes than needed a guest reads, and how many
 * more than the guest its disk.
 *
 * @param offset rows from one read to the next
 * @param keep whether the table stays between trials
 * @param blocks of the trial that this workload was set up for
 */
record Stride(
    Optional<Path> plan,
    Map<String, String> properties,
    StrideTable table,
    long offset,
    boolean keep,
    WorkOptions work,
    TouchedBlocks blocks)
    implements Workload {
  private static final String APPLICATION = "slicewise-stride";

  Stride {
    properties = Map.copyOf(properties);
  }

  @Override
  public Map<String, String> properties() {
    Map<String, String> all = new LinkedHashMap<>(properties);
    all.put("label", StrideType.PART + offset);
    all.put("query", table.query(offset));
    all.put("count", Long.toString(table.touched(offset)));
    return all;
  }

  @Override
  public Map<String, Secret> secrets() {
    return Map.of(DatabaseProperties.PASSWORD, table.database().password());
  }

  @Override
  public Workload only(String part) {
    long own = Long.parseLong(part.substring(StrideType.PART.length()));
    return new Stride(plan, properties, table, own, keep, work, new TouchedBlocks());
  }

  private Asked asked() {
    return new Asked(table.database(), StrideTable.NAME, APPLICATION, List.of(table.query(offset)));
  }

  @Override
  public void setUp() {
    StaleSessions.end(table.database(), APPLICATION);
    table.create(keep);
    work.prepare(asked(), blocks);
  }

  @Override
  public Optional<String> complaint() {
    try {
      table.check();
      return Optional.empty();
    } catch (SlicewiseException fault) {
      return Optional.of(fault.getMessage());
    }
  }

  @Override
  public void tearDown() {
    StaleSessions.end(table.database(), APPLICATION);
    if (!keep) {
      table.drop();
    }
  }

  @Override
  public Set<String> totalLabels() {
    return Set.of(StrideType.PART + offset);
  }

  @Override
  public List<Measure> measures(Reduction reduction, List<GeneratorSamples> samples) {
    if (!work.isWork()) {
      return List.of();
    }
    List<Measure> all =
        new ArrayList<>(work.measures(asked(), blocks, reduction.total().samples(), true));
    all.add(new Measure("rows-read", "rows", true, table.touched(offset)));
    return all;
  }

  @Override
  public List<String> remarks() {
    return work.isWork() ? TouchedBlocks.remarks(table.database()) : List.of();
  }

  @Override
  public Map<String, String> facts() {
    return Asked.shownFacts(table.database());
  }
}
