package io.slicewise.workload.target;

import io.slicewise.workload.target.Pace.Steps;
import io.slicewise.workload.target.SampleApplication.ConnectionPool;
import io.slicewise.workload.target.SampleApplication.Reply;
import io.slicewise.workload.target.SampleApplication.TargetOptions;
import io.slicewise.workload.target.SampleData.Accounts;
import io.slicewise.workload.target.Sessions.Credentials;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
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
 * A portal like the one of the 2010 study: a main site, lists, and documents that are kept in the
 * database, behind a session.
 *
 * <p>A missing schema is created at the start and dropped at the end; an existing one is used as it
 * is and kept.
 */
public final class PortalApplication {
  private PortalApplication() {}

  /**
   * Starts the portal, as fast as the machine; it accepts requests when this returns.
   *
   * @throws io.slicewise.base.units.SlicewiseException if the files, the database or the port are
   *     not available
   */
  public static SampleApplication start(TargetOptions options) {
    return start(options, Pace.free());
  }

  /** Starts it at another pace. */
  public static SampleApplication start(TargetOptions options, Pace<PortalStep> pace) {
    return new SampleApplication(
        "portal",
        PortalSchema.of(options.database()),
        options,
        (pool, files, workers) ->
            new PortalHandler(
                new PortalAnswers(new PortalStore(pool), files, new Steps<>(pace, workers))));
  }

  /** The steps of the portal's answers; each answer takes some of them, in this order. */
  public enum PortalStep {
    /** The request was read and its work begins. */
    RECEIVE,
    /** The user's name and MD5 password hash are looked up in {@code users}. */
    SIGN_IN_QUERY,
    /** One row goes into {@code lists}. */
    LIST_INSERT,
    /** A document goes into {@code documents}. */
    DOCUMENT_INSERT,
    /** A document is read from {@code documents}. */
    DOCUMENT_QUERY,
    /** The newest lists are read for the main site. */
    SITE_QUERY,
    /** Header and footer are read from the file directory. */
    FILES,
    /** The page is assembled. */
    RENDER,
    /** The answer is sent to the network. */
    SEND
  }

  /** Creates the portal's answers: the steps in order, each at its pace. */
  private static final class PortalAnswers {
    private final PortalStore store;
    private final PageFiles files;
    private final Steps<PortalStep> steps;

    /** The number of the last list: later ones are larger, even in a later process. */
    private final AtomicLong number = new AtomicLong(System.currentTimeMillis() * 1000);

    PortalAnswers(PortalStore store, PageFiles files, Steps<PortalStep> steps) {
      this.store = store;
      this.files = files;
      this.steps = steps;
    }

    CompletionStage<Reply> signIn(Credentials credentials) {
      return answer(
          steps
              .first(PortalStep.RECEIVE)
              .thenCompose(ready -> steps.next(PortalStep.SIGN_IN_QUERY))
              .thenApply(ready -> store.accepts(credentials))
              .thenCompose(
                  known ->
                      known
                          ? page(200, "Welcome", credentials.user())
                          : steps
                              .next(PortalStep.RENDER)
                              .thenApply(
                                  ready -> Reply.of(401, "The name or the password is wrong."))));
    }

    CompletionStage<Reply> site(String user) {
      return answer(
          steps.first(PortalStep.RECEIVE).thenCompose(ready -> page(200, "Main site", user)));
    }

    CompletionStage<Reply> create(String user, String title) {
      long list = number.incrementAndGet();
      return answer(
          steps
              .first(PortalStep.RECEIVE)
              .thenCompose(ready -> steps.next(PortalStep.LIST_INSERT))
              .thenAccept(ready -> store.add(new PortalStore.Listed(list, title, user)))
              .thenCompose(done -> page(201, "List " + list + " created", user)));
    }

    CompletionStage<Reply> store(String user, long list, String name, byte[] content) {
      return answer(
          step(
              PortalStep.DOCUMENT_INSERT,
              () -> {
                store.store(list, name, user, content);
                return Reply.of(201, "Document " + name + " stored, " + content.length + " bytes.");
              }));
    }

    CompletionStage<Reply> document(long list, String name) {
      return answer(
          step(
              PortalStep.DOCUMENT_QUERY,
              () ->
                  store
                      .document(list, name)
                      .map(Reply::document)
                      .orElseGet(() -> Reply.of(404, "There is no such document."))));
    }

    private CompletionStage<Reply> step(PortalStep step, Supplier<Reply> work) {
      return steps
          .first(PortalStep.RECEIVE)
          .thenCompose(ready -> steps.next(step))
          .thenApply(ready -> work.get());
    }

    private CompletionStage<Reply> answer(CompletionStage<Reply> made) {
      return made.thenCompose(reply -> steps.next(PortalStep.SEND).thenApply(ready -> reply))
          .exceptionally(Reply::unavailable);
    }

    /** A page of the site: a heading and the newest lists. */
    private CompletionStage<Reply> page(int status, String heading, String user) {
      ByteArrayOutputStream page = new ByteArrayOutputStream();
      return steps
          .next(PortalStep.SITE_QUERY)
          .thenApply(ready -> store.newest())
          .thenCompose(
              lists ->
                  steps
                      .next(PortalStep.FILES)
                      .thenAccept(
                          ready -> {
                            page.writeBytes(files.read(PageFiles.HEADER));
                            page.writeBytes(body(heading, user, lists));
                            page.writeBytes(files.read(PageFiles.FOOTER));
                          }))
          .thenCompose(done -> steps.next(PortalStep.RENDER))
          .thenApply(ready -> Reply.page(status, page.toByteArray()));
    }

    private static byte[] body(String heading, String user, List<PortalStore.Listed> lists) {
      StringBuilder html = new StringBuilder();
      html.append("<h1>").append(Reply.escaped(heading)).append("</h1>\n<p>Signed in as ");
      html.append(Reply.escaped(user)).append(".</p>\n<ul>\n");
      for (PortalStore.Listed list : lists) {
        html.append("<li><a href=\"lists/").append(list.number()).append("\">");
        html.append(Reply.escaped(list.title())).append("</a> of ");
        html.append(Reply.escaped(list.owner())).append("</li>\n");
      }
      return html.append("</ul>\n").toString().getBytes(StandardCharsets.UTF_8);
    }
  }

  /**
   * The HTTP interface of the portal. {@code POST /sign-in} with the form fields {@code user} and
   * {@code password} opens a session, which everything else requires. {@code GET /} is the main
   * site, {@code POST /lists} with the field {@code title} creates a list, {@code PUT} and {@code
   * GET /lists/NUMBER/NAME} store a document and read it back.
   */
  static final class PortalHandler extends Handler.Abstract.NonBlocking {
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
                refuse(Reply.of(401, "Sign in first."), request, response, callback);
                return true;
              });
    }

    /** Reads a request to its end before the answer: otherwise Jetty closes the connection. */
    private static void refuse(Reply reply, Request request, Response response, Callback callback) {
      Content.Source.consumeAll(
          request, Callback.from(() -> reply.send(response, callback), callback::failed));
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
      Reply tooLong = Reply.of(413, "A document has at most " + MOST_DOCUMENT_BYTES + " bytes.");
      if (request.getLength() > MOST_DOCUMENT_BYTES) {
        refuse(tooLong, request, response, callback);
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
                tooLong.send(response, callback);
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
      static void read(
          Request request, Response response, Callback callback, Consumer<Fields> next) {
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

  /** The statements of the portal. */
  private record PortalStore(ConnectionPool pool) {
    /** The number of lists on the main site. */
    private static final int SHOWN = 10;

    private static final String SIGN_IN = Accounts.query(PortalSchema.NAME);
    private static final String NEWEST =
        "SELECT number, title, owner FROM %s ORDER BY number DESC LIMIT %s"
            .formatted(PortalSchema.in("lists"), SHOWN);
    private static final String ADD_LIST =
        "INSERT INTO " + PortalSchema.in("lists") + " (number, title, owner) VALUES (?, ?, ?)";
    private static final String ADD_DOCUMENT =
        "INSERT INTO %s (list, name, owner, content) VALUES (?, ?, ?, ?)"
            .formatted(PortalSchema.in("documents"));
    private static final String DOCUMENT =
        "SELECT content FROM " + PortalSchema.in("documents") + " WHERE list = ? AND name = ?";

    /** One list as the main site shows it. */
    record Listed(long number, String title, String owner) {}

    boolean accepts(Credentials credentials) {
      return pool.run("checking the sign-in", SIGN_IN, credentials::matches);
    }

    List<Listed> newest() {
      return pool.run(
          "reading the lists",
          NEWEST,
          statement -> {
            List<Listed> lists = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
              while (rows.next()) {
                lists.add(new Listed(rows.getLong(1), rows.getString(2), rows.getString(3)));
              }
            }
            return lists;
          });
    }

    void add(Listed list) {
      pool.run(
          "creating a list",
          ADD_LIST,
          statement -> {
            statement.setLong(1, list.number);
            statement.setString(2, list.title);
            statement.setString(3, list.owner);
            return statement.executeUpdate();
          });
    }

    void store(long list, String name, String owner, byte[] content) {
      pool.run(
          "storing a document",
          ADD_DOCUMENT,
          statement -> {
            statement.setLong(1, list);
            statement.setString(2, name);
            statement.setString(3, owner);
            statement.setBytes(4, content);
            return statement.executeUpdate();
          });
    }

    Optional<byte[]> document(long list, String name) {
      return pool.run(
          "reading a document",
          DOCUMENT,
          statement -> {
            statement.setLong(1, list);
            statement.setString(2, name);
            try (ResultSet rows = statement.executeQuery()) {
              return rows.next() ? Optional.of(rows.getBytes(1)) : Optional.empty();
            }
          });
    }
  }

  /**
   * The portal's tables in their own schema, which is never changed unless Slicewise created it and
   * it contains nothing else. A document is a blob in the database, as in the product that it
   * represents.
   */
  public static final class PortalSchema {
    public static final String NAME = "slicewise_portal";

    private PortalSchema() {}

    public static TargetSchema of(Database database) {
      return new TargetSchema(
          database, NAME, tables(database), connection -> Accounts.fill(connection, NAME));
    }

    private static List<TargetSchema.Table> tables(Database database) {
      return List.of(
          Accounts.TABLE,
          new TargetSchema.Table(
              "lists",
              "number BIGINT NOT NULL PRIMARY KEY, title VARCHAR(100) NOT NULL, owner VARCHAR(40) NOT"
                  + " NULL"),
          new TargetSchema.Table(
              "documents",
              ("list BIGINT NOT NULL, name VARCHAR(100) NOT NULL, owner VARCHAR(40) NOT NULL,"
                      + " content %s NOT NULL, PRIMARY KEY (list, name)")
                  .formatted(database.blob())));
    }

    static String in(String table) {
      return NAME + "." + table;
    }
  }
}
