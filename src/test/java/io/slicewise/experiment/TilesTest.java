package io.slicewise.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Load;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects what an experiment says of several workloads at once, and each fault in it. */
class TilesTest {
  private static final String SHOP =
      "{name: shop, users: 5, goal: p95 < 90ms, workload: {name: web-app, target: http://s/}}";
  private static final String BATCH =
      "{name: batch, guests: [b], rate: 3, goal: throughput > 2/s,"
          + " workload: {name: web-app, target: http://b/, properties: {think-time: 10}}}";

  @TempDir private Path directory;

  private Experiment read(String tiles, String rest) throws IOException {
    return ExperimentFiles.read(
        Files.writeString(
            directory.resolve("tiles.yaml"),
            """
            name: tiles
            host: {address: dom0}
            domains: {main: [shop, b]}
            profiles: [as-found]
            workload: {name: tiles, tiles: [%s]}
            %s
            """
                .formatted(tiles, rest)));
  }

  @Test
  void eachTileHasItsLoadAndGoal() throws IOException {
    Experiment both =
        read(SHOP + ", " + BATCH, "scale: [50, 200]\nmost-users: 7\ngoal: worst goal");
    assertThat(both.levels(Axis.SCALE)).hasSize(2);
    Load half = both.loads().get(0);
    assertThat(half.text()).isEqualTo("50 % load");
    assertThat(both.tiles(half).get(0).users()).isEqualTo(OptionalInt.of(3));
    assertThat(both.tiles(half).get(1).rate()).isEqualTo(OptionalDouble.of(1.5));
    assertThat(both.population(half)).isEqualTo(3 + 7);
    assertThat(both.loaded(half)).containsExactly("shop", "b");
    assertThat(both.goals(half).get("batch").orElseThrow().metric()).isEqualTo("throughput");
    assertThat(both.aim().goal().orElseThrow()).hasToString("worst goal");

    String tune =
        "tune: {goal: worst goal, budget: {trials: 9}, search: {shop: {weight: 64..4096}}}";
    assertThat(read(SHOP, tune).aim()).isEqualTo(both.aim());

    Path resolved =
        Files.writeString(directory.resolve("again.yaml"), ExperimentFiles.toYaml(both));
    assertThat(ExperimentFiles.read(resolved)).isEqualTo(both);
  }

  @Test
  void addressesAreNoConditionsAndLoadsAre() throws IOException {
    String words = read(SHOP, "").workload().optionWords().toString();
    assertThat(words).contains("users 5").doesNotContain("http");
  }

  @Test
  void eachFaultIsOneSentence() {
    refuses(SHOP.replace("goal: p95 < 90ms, ", ""), "", "'goal' of tiles is missing");
    refuses(SHOP.replace("p95 < 90ms", "lowest p95"), "", "goal 'lowest p95' of shop has no limit");
    refuses(
        SHOP + ", " + BATCH + ", " + BATCH.replace("batch", "more").replace("[b]", "[c]"),
        "",
        "3 tiles need as many guests, but the main domains are 2: shop, b");
    refuses(
        SHOP + ", " + BATCH.replace("[b]", "[shop]"),
        "",
        "tiles shop and batch are both on guest shop");
    refuses(SHOP + ", " + BATCH.replace("batch", "shop"), "", "two tiles are called shop");
    refuses(
        BATCH.replace("[b]", "[c]"), "", "tile batch is on guest c, which is not among the main");
    refuses(
        SHOP.replace(
            "{name: web-app, target: http://s/}",
            "{name: tpcb, database: 'jdbc:postgresql://d/x', interference: 2}"),
        "",
        "workload tpcb of tile shop needs 3 guests, but the tile has 1");
    refuses(
        SHOP.replace("{name: web-app, target: http://s/}", "observe"),
        "",
        "workload observe of tile shop cannot be a tile");
    refuses(SHOP.replace("web-app, ", "web-app, plan: x.jmx, "), "", "tile shop has a 'plan'");
    refuses(SHOP.replace("users: 5", "users: 5, rate: 3"), "", "'users' or 'rate', not both");
    refuses(SHOP.replace("users: 5, ", ""), "", "tile shop needs 'users' or 'rate'");
    refuses(SHOP.replace(", target: http://s/", ""), "", "workload web-app needs a 'target'");
    refuses("", "", "must have 1 to 16 entries");
    refuses(SHOP, "users: 5", "users has no meaning: each tile has its own");
    refuses(
        SHOP + ", " + BATCH,
        "goal: worst p95",
        "goal worst p95 has no meaning for tile batch, whose goal is 'throughput > 2/s'");
    refuses(
        SHOP,
        "tune: {goal: most users at p95 < 90ms, budget: {trials: 9}}",
        "goal most users at p95 < 90ms has no meaning: each tile has its own users or rate; use 'worst goal'");
    refuses(SHOP, "generators: [local, a@b]", "generators cannot be set with tiles");
    refuses(
        SHOP.replace("name: shop,", "name: shop, guests: [shop, b],"),
        "guests: 1..2",
        "guests counts tiles of one guest each, but tile shop has 2: shop, b");
  }

  private void refuses(String tiles, String rest, String sentence) {
    assertThatThrownBy(() -> read(tiles, rest)).as(tiles).hasMessageContaining(sentence);
  }
}
