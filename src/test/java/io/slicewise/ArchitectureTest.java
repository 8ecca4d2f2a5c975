package io.slicewise;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Checks the code against the table of packages in docs/architecture.md. */
class ArchitectureTest {
  private static final String ROOT = "io.slicewise.";
  private static final int MOST_TOP_ROOMS = 17;
  private static final int MOST_LINES = 600;
  private static final int MOST_FILES = 30;
  private static final Path HOME = Path.of(System.getProperty("slicewise.home", "."));
  private static final Path MAIN = HOME.resolve("src/main/java");
  private static final Pattern ROW =
      Pattern.compile("^\\| `([a-z.]+)` \\| (.*) \\| ([^|]*) \\| ([\\d,]+) \\|$");
  private static final Pattern NAME = Pattern.compile("`([a-z.]+)`");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.slicewise");

  /** What each room may use, by the document; {@code cli} may use everything. */
  private static final Map<String, Set<String>> MAY_USE = documentedRooms();

  /** Rooms whose contents the document calls closed: used only where listed by their own name. */
  private static final Set<String> CLOSED =
      rows()
          .filter(row -> row.group(2).startsWith("closed: "))
          .map(ArchitectureTest::name)
          .collect(Collectors.toSet());

  private static Map<String, Set<String>> documentedRooms() {
    Map<String, Set<String>> rooms = new LinkedHashMap<>();
    rows().forEach(row -> rooms.put(row.group(1), names(row.group(3))));
    return rooms;
  }

  private static Stream<MatchResult> rows() {
    try (Stream<String> lines = Files.lines(HOME.resolve("docs/architecture.md"))) {
      return lines
          .map(ROW::matcher)
          .filter(Matcher::matches)
          .map(Matcher::toMatchResult)
          .toList()
          .stream();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Set<String> names(String cell) {
    return NAME.matcher(cell).results().map(ArchitectureTest::name).collect(Collectors.toSet());
  }

  private static String name(MatchResult match) {
    return match.group(1);
  }

  @TestFactory
  List<DynamicTest> roomsUseOnlyWhatTheyMay() {
    return MAY_USE.keySet().stream()
        .filter(room -> !top(room).equals("cli"))
        .map(room -> DynamicTest.dynamicTest(room, () -> checkArrows(room)))
        .toList();
  }

  private static void checkArrows(String room) {
    noClasses()
        .that(in(other -> other.equals(room), "reside in " + room))
        .should()
        .dependOnClassesThat(
            in(
                other -> !other.equals(room) && !isAllowed(MAY_USE.get(room), other),
                "reside in a room that docs/architecture.md does not list for " + room))
        .check(CLASSES);
  }

  /** A listed room stands for the rooms inside it, too, unless they are closed. */
  private static boolean isAllowed(Set<String> allowed, String room) {
    return allowed.stream()
        .anyMatch(
            one -> room.equals(one) || (room.startsWith(one + ".") && !CLOSED.contains(room)));
  }

  @Test
  void closedRoomsAreUsedOnlyWhereListedByName() {
    assertThat(CLOSED).contains("host.xen");
    noClasses()
        .that(in(room -> top(room).equals("cli"), "reside in cli"))
        .should()
        .dependOnClassesThat(in(CLOSED::contains, "reside in a closed room"))
        .check(CLASSES);
  }

  @Test
  void productDoesNotKnowItsLab() {
    Set<String> mayKnow = Set.of("cli.lab", "cli.simulate");
    noClasses()
        .that(in(room -> !top(room).equals("lab") && !mayKnow.contains(room), "reside elsewhere"))
        .should()
        .dependOnClassesThat(in(room -> top(room).equals("lab"), "reside in the lab"))
        .check(CLASSES);
  }

  private static DescribedPredicate<JavaClass> in(Predicate<String> room, String words) {
    return DescribedPredicate.describe(words, type -> roomOf(type).filter(room).isPresent());
  }

  /** Returns the innermost documented room of a class; empty outside the project. */
  private static Optional<String> roomOf(JavaClass type) {
    String name = type.getPackageName();
    if (!name.startsWith(ROOT)) {
      return Optional.empty();
    }
    String inside = name.substring(ROOT.length());
    return documented(inside).or(() -> Optional.of("undocumented " + inside));
  }

  private static Optional<String> documented(String inside) {
    return MAY_USE.keySet().stream()
        .filter(room -> inside.equals(room) || inside.startsWith(room + "."))
        .max(Comparator.comparingInt(String::length));
  }

  @Test
  void everyRoomIsDocumentedAndEveryDocumentedRoomExists() {
    Set<String> found =
        CLASSES.stream()
            .map(ArchitectureTest::roomOf)
            .flatMap(Optional::stream)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(found).isEqualTo(new TreeSet<>(MAY_USE.keySet()));
  }

  @Test
  void thereAreFewTopRooms() {
    Set<String> tops =
        MAY_USE.keySet().stream().map(ArchitectureTest::top).collect(Collectors.toSet());
    assertThat(tops).hasSizeLessThanOrEqualTo(MOST_TOP_ROOMS);
  }

  private static String top(String room) {
    return room.split("\\.", 2)[0];
  }

  @Test
  void topRoomsFormNoCycle() {
    slices().matching("io.slicewise.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void roomsFormNoCycle() {
    slices().assignedFrom(new DocumentedRooms()).should().beFreeOfCycles().check(CLASSES);
  }

  private static final class DocumentedRooms implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      return roomOf(type).map(SliceIdentifier::of).orElse(SliceIdentifier.ignore());
    }

    @Override
    public String getDescription() {
      return "rooms of docs/architecture.md";
    }
  }

  @Test
  void noFileIsTooLong() throws IOException {
    for (Path file : sources()) {
      try (Stream<String> lines = Files.lines(file)) {
        assertThat(lines.count()).as(file.toString()).isLessThanOrEqualTo(MOST_LINES);
      }
    }
  }

  /** Whoever needs more lines in a room raises its budget in the table, and says why. */
  @Test
  void noRoomExceedsItsBudgetOfLines() throws IOException {
    Map<String, Long> lines = new TreeMap<>();
    for (Path file : sources()) {
      String inside =
          MAIN.resolve("io/slicewise").relativize(file.getParent()).toString().replace('/', '.');
      try (Stream<String> its = Files.lines(file)) {
        lines.merge(documented(inside).orElse(inside), its.count(), Long::sum);
      }
    }
    rows()
        .forEach(
            row ->
                assertThat(lines.getOrDefault(row.group(1), 0L))
                    .as("lines of %s", row.group(1))
                    .isLessThanOrEqualTo(Long.parseLong(row.group(4).replace(",", ""))));
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(MAIN)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  @Test
  void noRoomHasTooManyFiles() throws IOException {
    try (Stream<Path> files = Files.walk(MAIN)) {
      Map<Path, Long> full =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
      full.values().removeIf(count -> count <= MOST_FILES);

      assertThat(full).isEmpty();
    }
  }

  @Test
  void onlyTheCommandLinePrintsOrExits() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.slicewise.cli..", "io.slicewise.load.generator.child..")
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethod(System.class, "exit", int.class)
        .check(CLASSES);
  }
}
