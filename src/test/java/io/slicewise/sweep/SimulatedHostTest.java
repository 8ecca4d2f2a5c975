package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.run.Origin;
import io.slicewise.run.journal.RunState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects readers from taking a lab for a host: a run that reaches one by its address, as it would
 * a real host, says that it was simulated and how late the lab was.
 */
@KeepsTheMachineBusy
class SimulatedHostTest {
  @TempDir Path directory;

  @Test
  void aLabReachedByItsAddressIsKnownAsALabAndItsLatenessIsRecorded() {
    LabOptions burning =
        LabOptions.sshOnly()
            .withGuests(LabGuest.burning("Apache_Server", 1), LabGuest.burning("NFS_Server", 1));
    try (Lab lab = Lab.start(burning)) {
      List<String> notices = new ArrayList<>();
      Sweep sweep =
          LocalSweep.of(LabExperiment.read(LabExperiment.asFound(lab, directory)))
              .with(LocalSweep.atEachNotice(notices::add))
              .begin(directory.resolve("results"));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      Origin origin = sweep.run().origin();
      assertThat(origin.kind()).isEqualTo(Origin.Kind.LAB);
      assertThat(origin.sentence())
          .isEqualTo("measured on a slicewise lab reached as 127.0.0.1: simulated schedulers");
      assertThat(notices).contains("this is not a real host: the run is " + origin.sentence());
      assertThat(sweep.run().results())
          .singleElement()
          .extracting(result -> result.host().labLatenessMillis())
          .matches(late -> late > 0 && late < 9000);
    }
  }
}
