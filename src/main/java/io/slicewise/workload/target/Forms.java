package io.slicewise.workload.target;

import io.slicewise.workload.target.Sessions.Credentials;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;
import org.eclipse.jetty.server.FormFields;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;

/** Reads the forms of the sample applications. */
final class Forms {
  private static final int MOST_FIELDS = 8;
  private static final int MOST_FORM_BYTES = 4096;

  private Forms() {}

  /** Passes on the fields of a form once they have arrived; anything else is answered with 400. */
  static void read(Request request, Response response, Callback callback, Consumer<Fields> next) {
    FormFields.onFields(
        request,
        StandardCharsets.UTF_8,
        MOST_FIELDS,
        MOST_FORM_BYTES,
        Promise.Invocable.from(
            InvocationType.NON_BLOCKING,
            next,
            fault -> Response.writeError(request, response, callback, 400, "not a form")));
  }

  /** The credentials in a form, if it has the fields {@code user} and {@code password}. */
  static Optional<Credentials> credentials(Fields form) {
    String user = form.getValue("user");
    String password = form.getValue("password");
    return user == null || password == null
        ? Optional.empty()
        : Optional.of(Credentials.of(user, password));
  }
}
