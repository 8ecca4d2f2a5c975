package io.slicewise.evidence.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.file.ExperimentFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Protects that runs of one workload with other options are told apart by the option's name, that
 * where servers are tells nothing apart, and that what was never kept is not taken for a
 * difference.
 */
class ConditionsTest {
  private static final String TPCB = "name: tpcb, database: 'jdbc:postgresql://db/bench'";

  @TempDir private Path directory;

  private Conditions of(String workload) {
    String text =
        """
        name: shop
        host: {address: dom0.example}
        domains: {main: [db]}
        profiles: [as-found, {name: heavy, scheduler: credit, main: {weight: 512}}]
        users: [10]
        workload: {WORKLOAD}
        """;
    try {
      return Conditions.of(
          ExperimentFiles.read(
              Files.writeString(
                  directory.resolve("shop.yaml"), text.replace("WORKLOAD", workload))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> differences(String here, String there) {
    return of(here).differences(of(there));
  }

  @Test
  void anotherOptionIsToldByName() {
    assertThat(differences(TPCB + ", scale: 10", TPCB + ", scale: 100"))
        .containsExactly("option scale 10 / 100");
    String others = ", others: [{name: db2, database: 'jdbc:postgresql://db2/bench'}]";
    assertThat(differences(TPCB + others, TPCB + others + ", interference: 1"))
        .containsExactly("option interference 0 / 1");
    assertThat(differences(TPCB + others, TPCB + others.replace("name: db2", "name: db3")))
        .containsExactly("option others name db2 / name db3");
    String tpch = TPCB.replace("tpcb", "tpch");
    assertThat(differences(tpch, tpch + ", cold: [{on: db, command: [sync]}]"))
        .containsExactly("option cold none / command sync");
    String web = "name: web-app, target: 'http://web.example/'";
    assertThat(differences(web, web + ", database: 'jdbc:postgresql://db/shop'"))
        .containsExactly("option database none / given");
    assertThat(differences(web, web + ", properties: {think-time: 5}"))
        .containsExactly("property think-time none / 5");
  }

  @Test
  void whatIsLeftOutIsItsDefaultAndASizeIsAScale() {
    assertThat(differences(TPCB, TPCB + ", size: small, interference-clients: 4")).isEmpty();
    assertThat(differences(TPCB + ", size: medium", TPCB + ", scale: 100")).isEmpty();
    assertThat(differences(TPCB + ", interference: 0", TPCB + ", interference: [0]")).isEmpty();
  }

  @Test
  void levelsThatAreSweptAreAnAxisAndNoCondition() {
    assertThat(differences(TPCB + ", interference: [0, 1]", TPCB + ", interference: [0, 3]"))
        .isEmpty();
    assertThat(differences(TPCB + ", interference: 3", TPCB + ", interference: [0, 3]"))
        .containsExactly("option interference 3 / swept");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        TPCB
            + "HERE, database-user: HERE, database-password-env: HERE, interference: 1, others:"
            + " [{name: db2, database: 'jdbc:postgresql://HERE/bench', database-user: HERE}]",
        "name: tpch, database: 'jdbc:postgresql://HERE/bench', database-password-file: HERE,"
            + " cold: [{on: HERE, user: HERE, identity: HERE, known-hosts: HERE, command: [sync]}]",
        "name: cpu, guest: HERE, guest-user: HERE, guest-identity: HERE, guest-known-hosts: HERE",
        "name: mail, smtp: HERE, imap: 'HERE:143', accounts: HERE, truststore: HERE",
        "name: vps, guests: [{name: a, target: 'http://HERE/', database: 'jdbc:h2:mem:HERE'}]",
        "name: web-app, target: 'http://HERE/', database: 'jdbc:postgresql://HERE/shop'"
      })
  void whereServersAreAndWhoSignsInIsNoConditionAndIsNowhereTold(String workload) {
    String quoted = workload.replace("bench'HERE", "benchHERE'");
    Conditions here = of(quoted.replace("HERE", "here"));
    assertThat(here.differences(of(quoted.replace("HERE", "there")))).isEmpty();
    assertThat(here.facts().toString()).contains("option ").doesNotContain("here");
  }

  @Test
  void whatAnOldRecordDoesNotHoldIsUnknownAndNotDifferent() {
    Conditions now = of(TPCB + ", scale: 100");
    Map<String, String> kept = new LinkedHashMap<>(now.facts());
    kept.keySet().removeIf(fact -> fact.startsWith("option "));
    Conditions old = new Conditions(kept);
    assertThat(old.differences(now)).isEmpty();
    assertThat(now.differences(old)).isEmpty();
    assertThat(old.unknown(now))
        .containsExactlyInAnyOrder(
            "scale", "others", "interference", "interference-clients", "verify");
    assertThat(now.unknown(now)).isEmpty();
    Conditions other = of("name: web-app, target: 'http://web.example/'");
    assertThat(other.differences(now)).containsExactly("workload web-app / tpcb");
    assertThat(other.unknown(now)).isEmpty();
  }
}
