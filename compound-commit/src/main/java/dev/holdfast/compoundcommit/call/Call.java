package dev.holdfast.compoundcommit.call;

import dev.holdfast.world.Network;
import dev.holdfast.world.Sealed;
import java.io.IOException;
import java.time.Duration;

/// One thing that a node can ask another: its name, how question and answer travel, and how long
/// the answer may take.
public record Call<Q, A>(String name, Codec<Q> question, Codec<A> answer, Duration deadline) {
  private static final String MAGIC = "HFCL";
  private static final int VERSION = 1;

  /// Answers a question.
  @FunctionalInterface
  public interface Answering<Q, A> {
    A answer(Q question) throws Exception;
  }

  public A ask(Caller node, Q value) throws IOException, InterruptedException {
    byte[] request = Sealed.seal(MAGIC, VERSION, Wire.bytes(question, value));
    byte[] answered = node.call(name, request, deadline);
    return Wire.value(answer, Sealed.open(MAGIC, VERSION, answered, name));
  }

  /// Answers this call from now on.
  public void serve(Network network, Answering<Q, A> answering) {
    network.serve(
        name,
        request -> {
          Q asked = Wire.value(question, Sealed.open(MAGIC, VERSION, request, name));
          return Sealed.seal(MAGIC, VERSION, Wire.bytes(answer, answering.answer(asked)));
        });
  }
}
