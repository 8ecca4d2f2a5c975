package io.slicewise.load.generator.child;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.load.generator.child.Generator.JMeterHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.jmeter.assertions.ResponseAssertion;
import org.apache.jmeter.protocol.http.sampler.HTTPSamplerBase;
import org.apache.jmeter.reporters.AbstractListenerElement;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.samplers.SampleListener;
import org.apache.jmeter.samplers.Sampler;
import org.apache.jmeter.save.SaveService;
import org.apache.jmeter.testelement.TestElement;
import org.apache.jmeter.testelement.TestPlan;
import org.apache.jmeter.testelement.property.JMeterProperty;
import org.apache.jmeter.testelement.property.PropertyIterator;
import org.apache.jmeter.threads.AbstractThreadGroup;
import org.apache.jmeter.threads.ThreadGroup;
import org.apache.jorphan.collections.HashTree;
import org.apache.jorphan.collections.SearchByClass;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The plans we ship open in JMeter as it is, explain themselves, know no machine, and load servers
 * rather than the generator. JMeter's own reader reads them.
 */
class ShippedPlansTest {
  private static final Path PLANS = Path.of(System.getProperty("slicewise.home"), "jmeter-plans");
  private static final Pattern OF_A_MACHINE =
      Pattern.compile(
          "[A-Z]:\\\\|/(home|root|tmp|opt|usr|var|etc|mnt)/|\\b\\d+\\.\\d+\\.\\d+\\.\\d+");

  @BeforeAll
  static void makeJMetersHome(@TempDir Path home) throws IOException {
    JMeterHome.prepare(home, new Properties());
  }

  static Stream<Path> plans() throws IOException {
    try (Stream<Path> files = Files.list(PLANS)) {
      return files.filter(file -> file.toString().endsWith(".jmx")).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("plans")
  void opensInJMeterWithNothingDeprecated(Path plan) throws Exception {
    HashTree tree = SaveService.loadTree(plan.toFile());
    assertThat(all(tree, TestElement.class)).hasSizeGreaterThan(3);
    for (TestElement element : all(tree, TestElement.class)) {
      String gui = SaveService.aliasToClass(element.getPropertyAsString(TestElement.GUI_CLASS));
      Class<?> window = Class.forName(gui, false, getClass().getClassLoader());
      assertThat(element.getClass().isAnnotationPresent(Deprecated.class))
          .as(element.getName())
          .isFalse();
      assertThat(window.isAnnotationPresent(Deprecated.class)).as(element.getName()).isFalse();
    }
    assertThat(all(LoadedPlan.load(plan, List.of(new NoListener())), TestPlan.class)).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("plans")
  void explainsItselfAndItsProperties(Path plan) throws Exception {
    HashTree tree = SaveService.loadTree(plan.toFile());
    assertThat(all(tree, TestPlan.class))
        .singleElement()
        .satisfies(root -> assertThat(root.getComment()).contains("Properties:", "users"));
    List<TestElement> elements = new ArrayList<>(all(tree, AbstractThreadGroup.class));
    for (Sampler sampler : all(tree, Sampler.class)) {
      elements.add((TestElement) sampler);
    }
    assertThat(elements)
        .allSatisfy(element -> assertThat(element.getComment()).as(element.getName()).isNotBlank());
  }

  @ParameterizedTest
  @MethodSource("plans")
  void knowsNoMachineAndKeepsNoResults(Path plan) throws Exception {
    HashTree tree = SaveService.loadTree(plan.toFile());
    assertThat(all(tree, AbstractListenerElement.class)).isEmpty();
    for (TestElement element : all(tree, TestElement.class)) {
      PropertyIterator properties = element.propertyIterator();
      while (properties.hasNext()) {
        JMeterProperty property = properties.next();
        assertThat(OF_A_MACHINE.matcher(property.getStringValue()).find())
            .as(element.getName() + ": " + property)
            .isFalse();
      }
      assertThat(element.getPropertyAsString(HTTPSamplerBase.DOMAIN)).matches("|\\$\\{.*");
    }
  }

  @ParameterizedTest
  @MethodSource("plans")
  void usersStayUntilTheyAreEndedAndAreAsManyAsAskedFor(Path plan) throws Exception {
    HashTree tree = SaveService.loadTree(plan.toFile());
    assertThat(all(tree, ThreadGroup.class))
        .isNotEmpty()
        .allSatisfy(
            group -> {
              assertThat(group.isSameUserOnNextIteration()).isTrue();
              assertThat(group.getScheduler()).isTrue();
              assertThat(group.getPropertyAsString(AbstractThreadGroup.NUM_THREADS))
                  .contains("__P(users,");
              assertThat(group.getSamplerController().getPropertyAsString("LoopController.loops"))
                  .isEqualTo("-1");
            });
  }

  @ParameterizedTest
  @MethodSource("plans")
  void requestsReuseTheirConnectionsAndWrongContentIsAnError(Path plan) throws Exception {
    HashTree tree = SaveService.loadTree(plan.toFile());
    List<String> implementations =
        all(tree, TestElement.class).stream()
            .map(element -> element.getPropertyAsString("HTTPSampler.implementation"))
            .filter(implementation -> !implementation.isEmpty())
            .toList();
    assertThat(implementations).allMatch("HttpClient4"::equals);
    for (HTTPSamplerBase request : all(tree, HTTPSamplerBase.class)) {
      assertThat(implementations).isNotEmpty();
      assertThat(request.getUseKeepAlive()).as(request.getName()).isTrue();
      assertThat(request.isImageParser()).as(request.getName()).isFalse();
      assertThat(all(tree.search(request), ResponseAssertion.class))
          .as(request.getName())
          .isNotEmpty();
    }
  }

  private static <T> Collection<T> all(HashTree tree, Class<T> type) {
    SearchByClass<T> search = new SearchByClass<>(type);
    tree.traverse(search);
    return search.getSearchResults();
  }

  /** Nobody listens to a plan that is only loaded. */
  private static final class NoListener implements SampleListener {
    @Override
    public void sampleOccurred(SampleEvent event) {
      throw new AssertionError("nothing was to run");
    }

    @Override
    public void sampleStarted(SampleEvent event) {
      throw new AssertionError("nothing was to run");
    }

    @Override
    public void sampleStopped(SampleEvent event) {
      throw new AssertionError("nothing was to run");
    }
  }
}
