package io.slicewise.host.xen;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.host.xen.KeptGuests.Keeper;
import io.slicewise.host.xen.KeptGuests.Kept;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.Shells;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a domain's configuration file contains is changed in its place, and comes back to the byte.
 */
class KeptGuestsTest {
  private static final String WEB =
      """
      # The shop. name = 'old'
      name = "web"
      vcpus = 2
      cpu_weight = 300   # agreed with ops
      """;

  @TempDir private Path xen;
  private Path web;
  private Keeper files;

  @BeforeEach
  void write() throws IOException {
    web = Files.writeString(xen.resolve("web.cfg"), WEB).toRealPath();
    Files.createDirectories(xen.resolve("auto"));
    Files.createSymbolicLink(xen.resolve("auto/web"), web);
    Files.writeString(xen.resolve("xl.conf"), "autoballoon=\"off\"\n");
    files = new ConfigFiles(Shells.local(), xen.toString());
  }

  private void set(String guest, Map<String, Integer> values) {
    String script = script(guest, values);
    assertThat(run(script)).as(script).isTrue();
  }

  private String script(String guest, Map<String, Integer> values) {
    Kept kept = files.read().get(guest);
    return files.script(kept, kept.values(), values);
  }

  private static boolean run(String script) {
    return Shells.local().run(Command.reading("sh", "-c", script)).succeeded();
  }

  @Test
  void readsFilesOnceAndByTheirNames() {
    assertThat(files.read())
        .containsOnlyKeys("web")
        .containsValue(new Kept(web.toString(), Map.of("weight", 300), Optional.empty()));
  }

  @Test
  void changesLinesInTheirPlaceAndRestoresTheFileToTheByte() throws IOException {
    set("web", Map.of("weight", 512, "cap", 40));
    assertThat(web).content().isEqualTo(WEB.replace("300", "512") + "cap = 40  # slicewise\n");
    assertThat(files.read().get("web").values()).isEqualTo(Map.of("weight", 512, "cap", 40));
    set("web", Map.of("weight", 300, "cap", 0));
    assertThat(web).content().isEqualTo(WEB);
    assertThat(xen.resolve("auto/web")).isSymbolicLink();
  }

  @Test
  void changesNothingIfSomebodyEditedTheFileMeanwhile() throws IOException {
    String late = script("web", Map.of("weight", 512, "cap", 40));
    Files.writeString(web, "memory = 512\n" + WEB);
    assertThat(run(late)).isFalse();
    assertThat(web).content().isEqualTo("memory = 512\n" + WEB);
  }

  @Test
  void saysWhyAFileCannotBeRead() throws IOException {
    Files.writeString(xen.resolve("db.cfg"), "name='db'\ncap=10\ncap=20\n");
    Files.writeString(xen.resolve("copy.cfg"), WEB);
    Map<String, Kept> read = files.read();
    assertThat(read.get("db").unclear().orElse(""))
        .endsWith("db.cfg twice, or as something else than a number")
        .startsWith("has cpu_weight or cap in ");
    assertThat(read.get("web").unclear().orElse(""))
        .startsWith("is the name in ")
        .contains(" and in ");
  }

  /** The output is that of XCP-ng's documentation; it was not tried on a real one. */
  @Test
  void setsTheParametersOfAMachineOfXcpNg() {
    String uuid = "b4b9a4a1-0f8c-2d3c-8a1b-6f0c6e9d1f11";
    Keeper machines =
        new MachineParameters(
            new ScriptedShell()
                .answering(
                    "xe vm-list is-control-domain=false is-a-template=false is-a-snapshot=false"
                        + " params=uuid,name-label,VCPUs-params",
                    """
                    uuid ( RO)             : %s
                          name-label ( RW) : web
                        VCPUs-params (MRW) : weight: 512; cap: 40


                    uuid ( RO)             : 0f8c4a1b-0f8c-2d3c-8a1b-6f0c6e9d1f12
                          name-label ( RW) : db 2
                        VCPUs-params (MRW) :\s

                    """
                        .formatted(uuid)));
    Kept web = machines.read().get("web");
    assertThat(web.values()).isEqualTo(Map.of("weight", 512, "cap", 40));
    assertThat(machines.read().get("db 2").values()).isEmpty();
    assertThat(machines.script(web, web.values(), Map.of("weight", 300)))
        .isEqualTo("xe vm-param-set uuid=%s VCPUs-params:weight=300".formatted(uuid));
    assertThat(machines.script(web, web.values(), Map.of("cap", 0)))
        .isEqualTo(
            "xe vm-param-remove uuid=%s param-name=VCPUs-params param-key=cap".formatted(uuid));
  }
}
