package dev.holdfast.http.server;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.concurrent.atomic.AtomicInteger;

/// Requests that have come and whose answers are not written whole, of clients and of other nodes.
/// A server that stops waits for these, and not for a moment in which nobody asks: the members of a
/// cluster never stop asking their leader. Whoever asks meanwhile is answered, and has to open
/// another connection then, elsewhere.
final class UnfinishedAnswers implements DecoratingHttpServiceFunction {
  private final AtomicInteger count = new AtomicInteger();
  private volatile boolean isStopping;

  @Override
  public HttpResponse serve(HttpService service, ServiceRequestContext context, HttpRequest request)
      throws Exception {
    if (isStopping) {
      var _ = context.initiateConnectionShutdown();
    }
    count.incrementAndGet();
    HttpResponse response;
    try {
      response = service.serve(context, request);
    } catch (Exception | Error e) {
      count.decrementAndGet();
      throw e;
    }
    var _ = response.whenComplete().whenComplete((_, _) -> count.decrementAndGet());
    return response;
  }

  /// The server stops: connections end with their next answers.
  void stop() {
    isStopping = true;
  }

  boolean isEmpty() {
    return count.get() == 0;
  }
}
