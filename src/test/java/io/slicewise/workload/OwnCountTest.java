package io.slicewise.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects what is found out from a plan of one's own before it is counted. */
class OwnCountTest {
  private static final String TRANSACTION =
      """
      <TransactionController testclass="TransactionController" testname="%s" enabled="%s">
        <boolProp name="TransactionController.parent">true</boolProp>
      </TransactionController>
      <hashTree>%s</hashTree>
      """;
  private static final String REQUEST =
      "<HTTPSamplerProxy testclass=\"HTTPSamplerProxy\" testname=\"%s\""
          + " enabled=\"true\"/><hashTree/>";
  private static final String SCRIPT =
      "<JSR223Sampler testclass=\"JSR223Sampler\" testname=\"token\" enabled=\"true\"/><hashTree/>";

  @TempDir private Path directory;

  @Test
  void saysWhichLabelsMakeTheTotal() throws IOException {
    Path plan = plan(TRANSACTION.formatted("Shop", true, REQUEST.formatted("Home")) + SCRIPT);
    assertThat(counts(plan, Map.of("count", "both")))
        .containsExactly(
            "counts the requests Home, token (JSR223); 'labels' selects among them",
            "lists with their own labels the transactions Shop");
    assertThat(counts(plan, Map.of("count", "both", "labels", List.of("Home"))).get(0))
        .isEqualTo("counts the requests Home, selected by 'labels'");
    assertThat(counts(plan, Map.of("count", "transactions")))
        .containsExactly("counts the transactions Shop; 'labels' selects among them");
  }

  @Test
  void refusesElementsWhoseInterpreterIsNotShippedBeforeAnythingStarts() throws IOException {
    String element = "<%1$s testclass=\"%1$s\" testname=\"stamp\" enabled=\"%2$s\"/><hashTree/>";
    for (String type : List.of("BeanShellPreProcessor", "BSFSampler", "BeanShellSampler")) {
      Path plan = plan(REQUEST.formatted("Home") + element.formatted(type, true));
      assertThatThrownBy(() -> counts(plan, Map.of()))
          .isInstanceOf(SlicewiseException.class)
          .hasMessage(
              "'stamp' of plan %s is a %s, and the interpreters of BSF and BeanShell are not"
                  + " shipped",
              plan, type);
      assertThat(counts(plan(REQUEST.formatted("Home") + element.formatted(type, false)), Map.of()))
          .containsExactly("counts the requests Home; 'labels' selects among them");
    }
  }

  @Test
  void leavesOutWhatIsDisabledWithAllThatIsBelow() throws IOException {
    Path plan =
        plan(
            TRANSACTION.formatted("Old", false, REQUEST.formatted("Gone"))
                + REQUEST.formatted("Home"));
    assertThat(counts(plan, Map.of()))
        .containsExactly("counts the requests Home; 'labels' selects among them");
  }

  @Test
  void refusesLabelsAndTransactionsThatThePlanDoesNotHave() throws IOException {
    Path plan = plan(REQUEST.formatted("Home"));
    assertThatThrownBy(() -> counts(plan, Map.of("labels", List.of("Hone"))))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("label 'Hone' is not among the requests")
        .extracting(fault -> ((SlicewiseException) fault).hint())
        .isEqualTo("valid 'labels' are: Home");
    assertThatThrownBy(() -> counts(plan, Map.of("count", "transactions")))
        .hasMessageContaining("has no transaction controller");
  }

  @Test
  void doesNotRefuseALabelThatIsMadeWhileThePlanRuns() throws IOException {
    Path plan = plan(REQUEST.formatted("Page ${n}"));
    assertThat(counts(plan, Map.of("labels", List.of("Page 1")))).hasSize(1);
  }

  @Test
  void refusesToCountATransactionInsideAnotherTwice() throws IOException {
    Path plan =
        plan(
            TRANSACTION.formatted(
                "Visit", true, TRANSACTION.formatted("Login", true, REQUEST.formatted("Home"))));
    assertThatThrownBy(() -> counts(plan, Map.of("count", "transactions")))
        .hasMessageContaining("transaction 'Login'")
        .hasMessageContaining("is inside 'Visit'");
    assertThat(counts(plan, Map.of("count", "transactions", "labels", List.of("Visit"))))
        .containsExactly("counts the transactions Visit, selected by 'labels'");
  }

  private static List<String> counts(Path plan, Map<String, Object> options) {
    return new OwnPlan.Type().counts(plan, new Options(options));
  }

  private Path plan(String elements) throws IOException {
    return Files.writeString(
        directory.resolve("plan.jmx"),
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <jmeterTestPlan version="1.2" properties="5.0" jmeter="5.6.3">
          <hashTree>
            <TestPlan testclass="TestPlan" testname="plan" enabled="true"/>
            <hashTree>
              <ThreadGroup testclass="ThreadGroup" testname="users" enabled="true"/>
              <hashTree>%s</hashTree>
            </hashTree>
          </hashTree>
        </jmeterTestPlan>
        """
            .formatted(elements));
  }
}
