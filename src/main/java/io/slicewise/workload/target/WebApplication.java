package io.slicewise.workload.target;

import io.slicewise.workload.target.Pace.Steps;
import io.slicewise.workload.target.PortalApplication.PortalHandler.Forms;
import io.slicewise.workload.target.SampleApplication.ConnectionPool;
import io.slicewise.workload.target.SampleApplication.Reply;
import io.slicewise.workload.target.SampleApplication.TargetOptions;
import io.slicewise.workload.target.SampleData.Accounts;
import io.slicewise.workload.target.Sessions.Credentials;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The web application of the 2010 study as a server: a dynamic page of about 5 KB behind a session,
 * made from a sign-in query, one logged row, one text from the database and two files.
 *
 * <p>A missing schema is created at the start and dropped at the end; an existing one is used as it
 * is and kept.
 */
public final class WebApplication {
  private WebApplication() {}

  /**
   * Starts the application, as fast as the machine; it accepts requests when this returns.
   *
   * @throws io.slicewise.base.units.SlicewiseException if the files, the database or the port are
   *     not available
   */
  public static SampleApplication start(TargetOptions options) {
    return start(options, Pace.free());
  }

  /** Starts it at another pace. */
  public static SampleApplication start(TargetOptions options, Pace<Step> pace) {
    return new SampleApplication(
        "web application",
        WebAppSchema.of(options.database()),
        options,
        (pool, files, workers) ->
            new PageHandler(new PageView(new PageStore(pool), files, new Steps<>(pace, workers))));
  }

  /**
   * The HTTP interface of the page, which is at {@code /} and {@code /index}: {@code POST} with the
   * form fields {@code user} and {@code password} opens or refreshes a session and returns the
   * page; {@code GET} needs a session. The query parameter {@code article} (1..10) selects the
   * text.
   */
  static final class PageHandler extends Handler.Abstract.NonBlocking {
    private static final Set<String> PATHS = Set.of("/", "/index");

    private final PageView pages;
    private final Sessions sessions = new Sessions();

    PageHandler(PageView pages) {
      this.pages = pages;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      if (!PATHS.contains(Request.getPathInContext(request))) {
        return false;
      }
      if (HttpMethod.POST.is(request.getMethod())) {
        Forms.read(
            request,
            response,
            callback,
            form ->
                Forms.credentials(form)
                    .ifPresentOrElse(
                        credentials -> signIn(request, response, callback, credentials),
                        () ->
                            Reply.of(400, "The form needs the fields user and password.")
                                .send(response, callback)));
      } else {
        view(request, response, callback);
      }
      return true;
    }

    private void signIn(
        Request request, Response response, Callback callback, Credentials credentials) {
      boolean fresh = sessions.of(request).filter(credentials::equals).isEmpty();
      pages
          .make(credentials, article(request))
          .thenAccept(
              reply -> {
                if (fresh && reply.status() == 200) {
                  sessions.open(credentials, response);
                }
                reply.send(response, callback);
              });
    }

    private void view(Request request, Response response, Callback callback) {
      Optional<Credentials> session = sessions.of(request);
      if (session.isPresent()) {
        pages
            .make(session.get(), article(request))
            .thenAccept(reply -> reply.send(response, callback));
      } else {
        Reply.of(401, "Sign in first.").send(response, callback);
      }
    }

    /** The requested article; a nonexistent one if the number is invalid. */
    private static int article(Request request) {
      String query = request.getHttpURI().getQuery();
      if (query == null) {
        return 1;
      }
      String number = Request.extractQueryParameters(request).getValue("article");
      return number == null ? 1 : number.matches("[0-9]{1,4}") ? Integer.parseInt(number) : 0;
    }
  }

  /** Creates pages: the steps in order, each at its pace. */
  private record PageView(PageStore store, PageFiles files, Steps<Step> steps) {
    private static final int PAGE_BYTES = 6 * 1024;

    /** Completes with the reply when it may be sent; never exceptionally. */
    CompletionStage<Reply> make(Credentials credentials, int article) {
      return steps
          .first(Step.RECEIVE)
          .thenCompose(ready -> steps.next(Step.SIGN_IN_QUERY))
          .thenApply(ready -> store.accepts(credentials))
          .thenCompose(
              known ->
                  known
                      ? page(credentials.user(), article)
                      : CompletableFuture.completedFuture(
                          Reply.of(401, "The name or the password is wrong.")))
          .thenCompose(reply -> steps.next(Step.SEND).thenApply(ready -> reply))
          .exceptionally(Reply::unavailable);
    }

    private CompletionStage<Reply> page(String user, int article) {
      Draft draft = new Draft(user);
      return steps
          .next(Step.LOG_INSERT)
          .thenAccept(ready -> store.log(user, article))
          .thenCompose(done -> steps.next(Step.CONTENT_QUERY))
          .thenAccept(ready -> draft.article = store.article(article).orElse(draft.article))
          .thenCompose(done -> steps.next(Step.HEADER_FILE))
          .thenAccept(ready -> draft.header = files.read(PageFiles.HEADER))
          .thenCompose(done -> steps.next(Step.FOOTER_FILE))
          .thenAccept(ready -> draft.footer = files.read(PageFiles.FOOTER))
          .thenCompose(done -> steps.next(Step.RENDER))
          .thenApply(ready -> draft.render());
    }

    /** The page under construction; used by one step after the other. */
    private static final class Draft {
      private final String user;
      private SampleData.Article article = new SampleData.Article(0, "", "");
      private byte[] header = {};
      private byte[] footer = {};

      Draft(String user) {
        this.user = user;
      }

      Reply render() {
        if (article.title().isEmpty()) {
          return Reply.of(404, "There is no such article.");
        }
        ByteArrayOutputStream page = new ByteArrayOutputStream(PAGE_BYTES);
        page.writeBytes(header);
        String middle =
            "<h1>"
                + article.title()
                + "</h1>\n<p>Signed in as "
                + user
                + ".</p>\n"
                + article.body();
        page.writeBytes(middle.getBytes(StandardCharsets.UTF_8));
        page.writeBytes(footer);
        return Reply.page(200, page.toByteArray());
      }
    }
  }

  /** The three statements of a page view. */
  private record PageStore(ConnectionPool pool) {
    private static final String SIGN_IN = Accounts.query(WebAppSchema.NAME);
    private static final String LOG =
        "INSERT INTO " + WebAppSchema.in("log") + " (user_name, content_id) VALUES (?, ?)";
    private static final String CONTENT =
        "SELECT title, body FROM " + WebAppSchema.in("content") + " WHERE id = ?";

    boolean accepts(Credentials credentials) {
      return pool.run("checking the sign-in", SIGN_IN, credentials::matches);
    }

    void log(String user, int article) {
      pool.run(
          "writing the log",
          LOG,
          statement -> {
            statement.setString(1, user);
            statement.setInt(2, article);
            return statement.executeUpdate();
          });
    }

    Optional<SampleData.Article> article(int id) {
      return pool.run(
          "reading the content",
          CONTENT,
          statement -> {
            statement.setInt(1, id);
            try (ResultSet rows = statement.executeQuery()) {
              return rows.next()
                  ? Optional.of(new SampleData.Article(id, rows.getString(1), rows.getString(2)))
                  : Optional.empty();
            }
          });
    }
  }

  /** The steps of one page view, in their order; each waits for its {@link Pace}. */
  public enum Step {
    /** The request was read and its work begins. */
    RECEIVE,
    /** The user's name and MD5 password hash are looked up in {@code users}. */
    SIGN_IN_QUERY,
    /** One row goes into {@code log}. */
    LOG_INSERT,
    /** The page's text is read from {@code content}. */
    CONTENT_QUERY,
    /** The header is read from the file directory. */
    HEADER_FILE,
    /** The footer is read from the file directory. */
    FOOTER_FILE,
    /** The page is assembled. */
    RENDER,
    /** The page is sent to the network. */
    SEND
  }

  /**
   * The web application's tables in their own schema, which is never changed unless Slicewise
   * created it and it contains nothing else.
   */
  public static final class WebAppSchema {
    public static final String NAME = "slicewise_web_app";

    private static final List<TargetSchema.Table> TABLES =
        List.of(
            Accounts.TABLE,
            new TargetSchema.Table(
                "content",
                "id INTEGER NOT NULL PRIMARY KEY, title VARCHAR(100) NOT NULL, body TEXT NOT NULL"),
            new TargetSchema.Table(
                "log",
                "at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL, user_name VARCHAR(40) NOT NULL,"
                    + " content_id INTEGER NOT NULL"));

    private WebAppSchema() {}

    public static TargetSchema of(Database database) {
      return new TargetSchema(database, NAME, TABLES, WebAppSchema::fill);
    }

    static String in(String table) {
      return NAME + "." + table;
    }

    private static void fill(Connection connection) throws SQLException {
      Accounts.fill(connection, NAME);
      try (PreparedStatement text =
          connection.prepareStatement("INSERT INTO " + in("content") + " VALUES (?, ?, ?)")) {
        for (SampleData.Article article : SampleData.articles()) {
          text.setInt(1, article.id());
          text.setString(2, article.title());
          text.setString(3, article.body());
          text.addBatch();
        }
        text.executeBatch();
      }
    }
  }
}
