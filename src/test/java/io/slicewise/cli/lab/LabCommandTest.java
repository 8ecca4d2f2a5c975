package io.slicewise.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.CommandLines;
import io.slicewise.cli.screens.ExitCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Holds that a lab that cannot exist is refused in words, before anything starts. */
class LabCommandTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--toolstack=xl-9.9 | toolstack xl-9.9 does not exist here: xl came with Xen 4.1 to 4.22",
        "--toolstack=kvm | toolstack 'kvm' is not one of xm-3.3, xm-4.1",
        "--scheduler=cfs | scheduler cfs is not in the lab's Xen 4.17",
        "--scheduler=sedf | scheduler sedf is not in the lab's Xen 4.17"
      })
  void refusesHostThatCannotBe(String option, String words) {
    CommandLines.Said said = CommandLines.run("lab", "--ssh-only", option);
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.err()).contains(words);
  }
}
