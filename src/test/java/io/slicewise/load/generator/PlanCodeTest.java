package io.slicewise.load.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.Sha256;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects the user of a stranger's plan: whatever in it runs code is named before it runs. */
class PlanCodeTest {
  private static final Path SHIPPED =
      Path.of(System.getProperty("slicewise.home", "."), "jmeter-plans");

  @TempDir private Path directory;

  @Test
  void namesEachElementThatRunsCode() throws IOException {
    for (String type :
        List.of(
            "JSR223Sampler",
            "JSR223PreProcessor",
            "JSR223PostProcessor",
            "JSR223Timer",
            "JSR223Assertion",
            "JSR223Listener",
            "BeanShellAssertion",
            "BSFSampler",
            "SystemSampler",
            "JavaSampler",
            "JavaConfig",
            "JUnitSampler")) {
      PlanCode code = code(element(type, "own", ""));
      assertThat(code.parts()).containsExactly(type + " 'own'");
      assertThat(code.loadable()).isTrue();
      assertThat(code(disabled(type)).parts()).isEmpty();
    }
    assertThat(code(element("IfController", "old", "")).parts())
        .containsExactly("JavaScript in IfController 'old'");
    assertThat(
            code(element("org.apache.jmeter.protocol.java.sampler.JSR223Sampler", "long", ""))
                .parts())
        .containsExactly("JSR223Sampler 'long'");
  }

  @Test
  void namesEachFunctionThatRunsCodeHoweverItIsWritten() throws IOException {
    for (String name :
        List.of(
            "__groovy",
            "__jexl2",
            "__jexl3",
            "__javaScript",
            "__BeanShell",
            "__eval",
            "__evalVar",
            "__StringToFile")) {
      assertThat(code(element("HTTPSamplerProxy", "Home", "${" + name + "(1)}")).parts())
          .containsExactly(name + " in HTTPSamplerProxy 'Home'");
    }
    for (String hidden :
        List.of(
            "${ __groovy (1)}",
            "${__gro\\ovy(1)}",
            "${__P(a,${__groovy(1)})}",
            "${__gro<!-- x -->ovy(1)}",
            "<![CDATA[${__]]>groovy(1)}",
            "&#36;{__groovy(1)}")) {
      assertThat(code(element("HTTPSamplerProxy", "Home", hidden)).parts())
          .as(hidden)
          .containsExactly("__groovy in HTTPSamplerProxy 'Home'");
    }
    assertThat(code(element("HTTPSamplerProxy", "${__groovy(1)}", "")).parts()).hasSize(1);
    assertThat(code(element("HTTPSamplerProxy", "Home", "${__P(a)} __groovy ${__time()}")).parts())
        .isEmpty();
  }

  @Test
  void namesClassesThatAreNotJMetersAndDoesNotLetThemLoadEvenDisabled() throws IOException {
    PlanCode tag = code("<objProp><name>x</name><value><dynamic-proxy/></value></objProp>");
    assertThat(tag.loadable()).isFalse();
    PlanCode plugin = code(disabled("com.example.Sampler"));
    assertThat(plugin.parts()).containsExactly("class com.example.Sampler in Sampler 'off'");
    assertThat(plugin.loadable()).isFalse();
    assertThat(
            code("<HTTPSamplerProxy testname='h'><stringProp class='evil.X' name='a'/>"
                    + "</HTTPSamplerProxy>")
                .parts())
        .containsExactly("class evil.X in HTTPSamplerProxy 'h'");
  }

  @Test
  void followsIncludedFilesAndModulesAndScripts() throws IOException {
    Path fragment = directory.resolve("fragment.jmx");
    Files.writeString(fragment, plan(element("JSR223Sampler", "inner", "")));
    String includes =
        "<IncludeController testname='more'><stringProp name='IncludeController.includepath'>%s"
            + "</stringProp></IncludeController><hashTree/>";
    PlanCode followed = code(includes.formatted("fragment.jmx"));
    assertThat(followed.parts()).containsExactly("JSR223Sampler 'inner'");
    Files.writeString(fragment, plan(element("JSR223Sampler", "inner", "x")));
    assertThat(code(includes.formatted("fragment.jmx")).checksum())
        .isNotEqualTo(followed.checksum());
    assertThat(code(includes.formatted("${__P(f)}")).parts())
        .containsExactly("unknown file in IncludeController 'more'");

    assertThat(code(disabled("JSR223Sampler") + element("ModuleController", "m", "")).parts())
        .containsExactly("JSR223Sampler 'off'");

    Path script = Files.writeString(directory.resolve("a.groovy"), "1");
    PlanCode first = code(element("JSR223Sampler", "file", "a.groovy"));
    Files.writeString(script, "2");
    assertThat(code(element("JSR223Sampler", "file", "a.groovy")).checksum())
        .isNotEqualTo(first.checksum());
  }

  @Test
  void namesPropertiesAndPathsThatBringCode() throws IOException {
    Path plan = Files.writeString(directory.resolve("plan.jmx"), plan(""));
    PlanCode code = PlanCode.of(plan, Map.of("groovy.utilities", "x.groovy", "think-time", "1"));
    assertThat(code.parts()).containsExactly("property groovy.utilities");
    assertThat(code.checksum()).isNotEqualTo(PlanCode.of(plan, Map.of()).checksum());
    assertThat(
            code("<TestPlan testname='p'><stringProp name='TestPlan.user_define_classpath'>x.jar"
                    + "</stringProp></TestPlan>")
                .parts())
        .containsExactly("class path of TestPlan 'p'");
  }

  @Test
  void showsControlCharactersOfNames() throws IOException {
    assertThat(code(element("JSR223Sampler", "a\u202eb", "")).sentence())
        .isEqualTo("plan plan.jmx runs code with your rights: JSR223Sampler 'a\\u202eb'");
  }

  @Test
  void knowsThePlansThatComeWithTheProgram() throws IOException {
    try (Stream<Path> plans = Files.list(SHIPPED)) {
      for (Path plan : plans.filter(file -> file.toString().endsWith(".jmx")).toList()) {
        PlanCode code = PlanCode.of(plan, Map.of());
        assertThat(code.loadable()).as(plan.toString()).isTrue();
        assertThat(code.checksum()).isEqualTo(Sha256.of(plan));
        assertThat(code.isForeign(SHIPPED)).isFalse();
        if (!code.parts().isEmpty()) {
          assertThat(code.isForeign(directory)).isTrue();
        }
      }
    }
  }

  @Test
  void knowsAllElementsOfJMeter() throws IOException {
    Path every = directory.resolve("every.jmx");
    Files.write(every, PlanCodeTest.class.getResourceAsStream("every-element.jmx").readAllBytes());
    assertThat(PlanCode.of(every, Map.of()).parts()).noneMatch(part -> part.startsWith("class "));
  }

  @Test
  void refusesWhatIsNoPlanWithoutQuotingIt() throws IOException {
    Path file = directory.resolve("plan.jmx");
    Map<String, String> reasons =
        Map.of(
            "root:$6$secret:1",
            "it is not the XML expected here, from line 1",
            "<a>root:$6$secret</b>",
            "it is not the XML expected here, from line 1",
            "<!DOCTYPE a [<!ENTITY s SYSTEM '/etc/shadow'>]><a>&s;</a>",
            "it is not the XML expected here, from line 1",
            "<secret/>",
            "it is XML, but not a JMeter plan",
            "<a>".repeat(100_000),
            "it is not the XML expected here, from line 1");
    reasons.forEach(
        (text, reason) ->
            assertThatThrownBy(() -> PlanCode.of(Files.writeString(file, text), Map.of()))
                .isInstanceOf(SlicewiseException.class)
                .hasMessage("plan %s cannot be used: %s", file, reason));
  }

  private PlanCode code(String elements) throws IOException {
    return PlanCode.of(Files.writeString(directory.resolve("plan.jmx"), plan(elements)), Map.of());
  }

  private static String element(String type, String name, String value) {
    return "<%1$s testclass=\"%1$s\" testname=\"%2$s\"><stringProp name=\"p\">%3$s</stringProp></%1$s>"
            .formatted(type, name, value)
        + "<hashTree/>";
  }

  private static String disabled(String type) {
    return "<%1$s testclass=\"%1$s\" testname=\"off\" enabled=\"false\"/><hashTree/>"
        .formatted(type);
  }

  private static String plan(String elements) {
    return "<?xml version=\"1.0\" encoding=\"UTF-16\"?><jmeterTestPlan><hashTree>"
        + elements
        + "</hashTree></jmeterTestPlan>";
  }
}
