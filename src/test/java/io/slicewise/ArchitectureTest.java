package io.slicewise;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Holds the arrows of docs/architecture.md: a room uses only the rooms it may. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.slicewise");

  private static final Map<String, Set<String>> MAY_USE = mayUse();

  private static Map<String, Set<String>> mayUse() {
    Map<String, Set<String>> rooms = new LinkedHashMap<>();
    rooms.put("units", Set.of());
    rooms.put("json", Set.of("units"));
    rooms.put("stats", Set.of("units"));
    rooms.put("yaml", Set.of("units"));
    rooms.put("profile", Set.of("units", "yaml"));
    rooms.put("ssh", Set.of("units"));
    rooms.put("xen", Set.of("units", "profile", "ssh"));
    rooms.put("monitor", Set.of("units", "ssh", "xen"));
    rooms.put("jtl", Set.of("units"));
    rooms.put("load", Set.of("units"));
    rooms.put("target", Set.of("units"));
    rooms.put("workload", Set.of("units", "yaml", "stats", "jtl", "ssh", "target"));
    rooms.put("experiment", Set.of("units", "yaml", "profile", "workload"));
    rooms.put("validity", Set.of("units", "stats", "monitor", "load", "profile", "experiment"));
    rooms.put(
        "sweep",
        Set.of(
            "units",
            "json",
            "stats",
            "profile",
            "ssh",
            "xen",
            "monitor",
            "jtl",
            "load",
            "workload",
            "experiment",
            "validity"));
    rooms.put(
        "analysis",
        Set.of("units", "stats", "profile", "experiment", "validity", "sweep", "monitor"));
    rooms.put(
        "report",
        Set.of(
            "units",
            "json",
            "stats",
            "profile",
            "ssh",
            "xen",
            "experiment",
            "sweep",
            "monitor",
            "jtl",
            "analysis"));
    rooms.put(
        "preflight",
        Set.of(
            "units",
            "profile",
            "ssh",
            "xen",
            "monitor",
            "load",
            "workload",
            "experiment",
            "sweep"));
    rooms.put("published", Set.of("units", "stats", "validity"));
    rooms.put("study", Set.of("units", "stats", "published"));
    rooms.put("sim", Set.of("units", "profile"));
    rooms.put("lab", Set.of("units", "yaml", "profile", "sim", "target", "xen"));
    rooms.put(
        "simulate",
        Set.of("units", "stats", "profile", "xen", "monitor", "jtl", "experiment", "sweep", "sim"));
    rooms.put(
        "imported", Set.of("units", "profile", "xen", "monitor", "jtl", "experiment", "sweep"));
    return rooms;
  }

  @TestFactory
  List<DynamicTest> roomsUseOnlyWhatTheyMay() {
    List<DynamicTest> tests = new ArrayList<>();
    MAY_USE.forEach(
        (room, allowed) -> {
          String[] forbidden =
              roomsFound().stream()
                  .filter(other -> !other.equals(room) && !allowed.contains(other))
                  .map(other -> "io.slicewise." + other + "..")
                  .toArray(String[]::new);
          tests.add(
              DynamicTest.dynamicTest(
                  room,
                  () ->
                      noClasses()
                          .that()
                          .resideInAPackage("io.slicewise." + room + "..")
                          .should()
                          .dependOnClassesThat()
                          .resideInAnyPackage(forbidden)
                          .allowEmptyShould(true)
                          .check(CLASSES)));
        });
    return tests;
  }

  @Test
  void everyRoomHasItsPlaceInTheRules() {
    assertThat(roomsFound()).allMatch(room -> room.equals("cli") || MAY_USE.containsKey(room));
  }

  @Test
  void roomsFormNoCycle() {
    slices().matching("io.slicewise.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void onlyTheCommandLinePrintsOrExits() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.slicewise.cli..", "io.slicewise.load.child..")
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethod(System.class, "exit", int.class)
        .check(CLASSES);
  }

  private static Set<String> roomsFound() {
    return CLASSES.stream()
        .map(JavaClass::getPackageName)
        .filter(name -> name.startsWith("io.slicewise."))
        .map(name -> name.substring("io.slicewise.".length()).split("\\.", 2)[0])
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
