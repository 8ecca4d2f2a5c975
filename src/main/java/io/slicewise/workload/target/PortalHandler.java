package io.slicewise.workload.target;

import io.slicewise.workload.target.Sessions.Credentials;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.FormFields;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;

/**
 * The HTTP interface of the portal. {@code POST /sign-in} with the form fields {@code user} and
 * {@code password} opens a session, which everything else requires. {@code GET /} is the main site,
 * {@code POST /lists} with the field {@code title} creates a list, {@code PUT} and {@code GET
 * /lists/NUMBER/NAME} store a document and read it back.
 */
final class PortalHandler extends Handler.Abstract.NonBlocking {
  private static final Pattern DOCUMENT =
      Pattern.compile("/lists/([0-9]{1,18})/([A-Za-z0-9._-]{1,100})");
  private static final int MOST_DOCUMENT_BYTES = 1 << 20;

  private final PortalAnswers answers;
  private final Sessions sessions = new Sessions();

  PortalHandler(PortalAnswers answers) {
    this.answers = answers;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    String path = Request.getPathInContext(request);
    if (HttpMethod.POST.is(request.getMethod()) && path.equals("/sign-in")) {
      Forms.read(request, response, callback, form -> signIn(form, response, callback));
      return true;
    }
    return sessions
        .of(request)
        .map(session -> serve(session.user(), path, request, response, callback))
        .orElseGet(
            () -> {
              Reply.of(401, "Sign in first.").send(response, callback);
              return true;
            });
  }

  private void signIn(Fields form, Response response, Callback callback) {
    Forms.credentials(form)
        .ifPresentOrElse(
            credentials ->
                answers
                    .signIn(credentials)
                    .thenAccept(
                        reply -> {
                          if (reply.status() == 200) {
                            sessions.open(credentials, response);
                          }
                          reply.send(response, callback);
                        }),
            () ->
                Reply.of(400, "The form needs the fields user and password.")
                    .send(response, callback));
  }

  private boolean serve(
      String user, String path, Request request, Response response, Callback callback) {
    Matcher document = DOCUMENT.matcher(path);
    if (path.equals("/") && HttpMethod.GET.is(request.getMethod())) {
      send(answers.site(user), response, callback);
    } else if (path.equals("/lists") && HttpMethod.POST.is(request.getMethod())) {
      Forms.read(
          request,
          response,
          callback,
          form -> {
            String title = form.getValue("title");
            if (title == null || title.isBlank() || title.length() > 100) {
              Reply.of(400, "The form needs the field title, 1 to 100 letters.")
                  .send(response, callback);
            } else {
              send(answers.create(user, title), response, callback);
            }
          });
    } else if (document.matches()) {
      return document(user, document, request, response, callback);
    } else {
      return false;
    }
    return true;
  }

  private boolean document(
      String user, Matcher document, Request request, Response response, Callback callback) {
    long list = Long.parseLong(document.group(1));
    String name = document.group(2);
    if (HttpMethod.GET.is(request.getMethod())) {
      send(answers.document(list, name), response, callback);
      return true;
    }
    if (!HttpMethod.PUT.is(request.getMethod())) {
      return false;
    }
    Runnable refusal =
        () ->
            Reply.of(413, "A document has at most " + MOST_DOCUMENT_BYTES + " bytes.")
                .send(response, callback);
    if (request.getLength() > MOST_DOCUMENT_BYTES) {
      // Read to its end: otherwise Jetty closes the connection after the answer.
      Content.Source.consumeAll(request, Callback.from(refusal, callback::failed));
      return true;
    }
    Content.Source.asByteArrayAsync(
        request,
        MOST_DOCUMENT_BYTES,
        Promise.Invocable.from(
            InvocationType.NON_BLOCKING,
            content -> send(answers.store(user, list, name, content), response, callback),
            fault -> {
              response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
              refusal.run();
            }));
    return true;
  }

  private static void send(CompletionStage<Reply> reply, Response response, Callback callback) {
    reply.thenAccept(made -> made.send(response, callback));
  }

  /** Reads the forms of the sample applications. */
  static final class Forms {
    private static final int MOST_FIELDS = 8;
    private static final int MOST_FORM_BYTES = 4096;

    private Forms() {}

    /**
     * Passes on the fields of a form once they have arrived; anything else is answered with 400.
     */
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
}
