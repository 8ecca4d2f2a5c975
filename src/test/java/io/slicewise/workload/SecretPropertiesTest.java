package io.slicewise.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Protects that no password of an experiment's properties is written into a file of its run. */
class SecretPropertiesTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "password", "password1", "db.PASSWORD", "admin-passwd", "client_secret", "api-key",
        "apiKey", "access-key", "bearer.token", "login-pwd", "ssh-passphrase", "credentials"
      })
  void refusesAPasswordAndNamesTheWay(String name) {
    assertThatThrownBy(() -> SecretProperties.refuseValues(Map.of(name, "hunter2", "users", "5")))
        .isInstanceOfSatisfying(
            SlicewiseException.class,
            fault -> {
              assertThat(fault).hasMessageContaining(name);
              assertThat(fault.hint()).contains(name + "-file: PATH", name + "-env: VARIABLE");
              assertThat(fault.getMessage() + fault.hint()).doesNotContain("hunter2");
            });
  }

  @Test
  void leavesOtherPropertiesAndReferencesAlone() {
    assertThatCode(
            () ->
                SecretProperties.refuseValues(
                    Map.of(
                        "think-time", "5", "password-file", "p", "token-env", "T", "password", "")))
        .doesNotThrowAnyException();
    assertThat(SecretProperties.givenBy("think-file")).isEmpty();
    assertThat(SecretProperties.givenBy("password1-file")).contains("password1");
  }

  @Test
  void readsFilesAndVariables() throws IOException {
    Path file = Files.writeString(directory.resolve("web.password"), "from file\nsecond line\n");
    Map<String, String> properties =
        Map.of("password1-file", file.toString(), "api-token-env", "API", "users", "5");
    assertThat(SecretProperties.read(properties, Map.of("API", "from variable")))
        .isEqualTo(
            Map.of("password1", Secret.of("from file"), "api-token", Secret.of("from variable")));
    assertThatThrownBy(() -> SecretProperties.read(properties, Map.of()))
        .hasMessage("environment variable API, named by the property api-token-env, is not set");
  }
}
