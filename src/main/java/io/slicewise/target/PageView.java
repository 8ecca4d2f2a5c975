package io.slicewise.target;

import io.slicewise.units.SlicewiseException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Makes pages: the steps in their order, each after its pace. Blocking calls run on the workers,
 * one for each database connection; while a pace is waited for, no thread is held.
 */
final class PageView {
  /** What is sent: a page, or a sentence that says why there is none. */
  record Reply(int status, ByteBuffer body) {
    static Reply of(int status, String sentence) {
      return new Reply(status, StandardCharsets.UTF_8.encode("<p>" + sentence + "</p>\n"));
    }
  }

  private static final int PAGE_BYTES = 6 * 1024;

  private final PageStore store;
  private final PageFiles files;
  private final Pace pace;
  private final Executor workers;

  PageView(PageStore store, PageFiles files, Pace pace, Executor workers) {
    this.store = store;
    this.files = files;
    this.pace = pace;
    this.workers = workers;
  }

  /** Completes with the reply once it may be sent; never exceptionally. */
  CompletionStage<Reply> make(Credentials credentials, int article) {
    return step(Step.RECEIVE)
        .thenComposeAsync(ready -> step(Step.SIGN_IN_QUERY), workers)
        .thenApply(ready -> store.knows(credentials))
        .thenCompose(
            known ->
                known
                    ? page(credentials.user(), article)
                    : CompletableFuture.completedFuture(
                        Reply.of(401, "The name or the password is wrong.")))
        .thenCompose(reply -> step(Step.SEND).thenApply(ready -> reply))
        .exceptionally(PageView::unavailable);
  }

  private CompletionStage<Reply> page(String user, int article) {
    Draft draft = new Draft(user);
    return step(Step.LOG_INSERT)
        .thenAccept(ready -> store.log(user, article))
        .thenCompose(done -> step(Step.CONTENT_QUERY))
        .thenAccept(ready -> draft.article = store.article(article).orElse(draft.article))
        .thenCompose(done -> step(Step.HEADER_FILE))
        .thenAccept(ready -> draft.header = files.read(PageFiles.HEADER))
        .thenCompose(done -> step(Step.FOOTER_FILE))
        .thenAccept(ready -> draft.footer = files.read(PageFiles.FOOTER))
        .thenCompose(done -> step(Step.RENDER))
        .thenApply(ready -> draft.render());
  }

  /** A step that has its pace already goes on in this thread, without a detour. */
  private CompletionStage<Void> step(Step step) {
    CompletableFuture<Void> paced = pace.before(step).toCompletableFuture();
    return paced.isDone() ? paced : paced.thenRunAsync(() -> {}, workers);
  }

  private static Reply unavailable(Throwable fault) {
    Throwable cause =
        fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
    String why = cause instanceof SlicewiseException ? cause.getMessage() : cause.toString();
    return Reply.of(503, "The page cannot be made: " + why.replace("<", "&lt;"));
  }

  /** The page while it is being put together; used by one step after the other. */
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
          "<h1>" + article.title() + "</h1>\n<p>Signed in as " + user + ".</p>\n" + article.body();
      page.writeBytes(middle.getBytes(StandardCharsets.UTF_8));
      page.writeBytes(footer);
      return new Reply(200, ByteBuffer.wrap(page.toByteArray()));
    }
  }
}
