package io.slicewise.workload.target;

import io.slicewise.workload.target.Pace.Steps;
import io.slicewise.workload.target.PortalApplication.PortalStep;
import io.slicewise.workload.target.Sessions.Credentials;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Creates the portal's answers: the steps in order, each at its pace. */
final class PortalAnswers {
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
