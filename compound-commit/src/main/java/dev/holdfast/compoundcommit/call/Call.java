package dev.holdfast.compoundcommit.call;

import dev.holdfast.world.ChecksummedBytes;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.time.Duration;

/// One thing that a node can ask another: its name, how question and answer travel, and how long
/// the answer may take.
///
/// Members that are added to question or answer need no new version (see [Codec]); one is needed
/// when what was there before gets another meaning. A node answers every version from the oldest to
/// its newest, in the version of the question; the codecs ask the message for it.
public record Call<Q, A>(
    String name, Versions versions, Codec<Q> question, Codec<A> answer, Duration deadline) {
  private static final String MAGIC = "HFCA";
  private static final String NEWEST = "newest_version";

  /// Versions of a call that this build speaks.
  public record Versions(int oldest, int newest) {
    static final Versions FIRST = new Versions(1, 1);
  }

  public Call(String name, Codec<Q> question, Codec<A> answer, Duration deadline) {
    this(name, Versions.FIRST, question, answer, deadline);
  }

  /// Answers a question.
  @FunctionalInterface
  public interface Answering<Q, A> {
    A answer(Q question) throws Exception;
  }

  /// @throws Refusal as the node threw it; one that [#isUnsupported] when it is of an older build
  ///   that does not know the call
  public A ask(Caller node, Q value) throws IOException, InterruptedException {
    try {
      return ask(node, value, versions.newest);
    } catch (Refusal e) {
      if (isUnsupported(e)
          && e.metadata().get(NEWEST) instanceof Number known
          && known.intValue() >= versions.oldest
          && known.intValue() < versions.newest) {
        return ask(node, value, known.intValue());
      }
      throw e;
    }
  }

  private A ask(Caller node, Q value, int version) throws IOException, InterruptedException {
    byte[] answered = node.call(name, sealed(question, value, version), deadline);
    int spoken = ChecksummedBytes.check(MAGIC, versions.newest, answered, name);
    return answer.readWhole(new WireInput(answered, ChecksummedBytes.HEADER_BYTES, spoken));
  }

  /// Answers this call from now on.
  public void serve(Network network, Answering<Q, A> answering) {
    network.serve(
        name,
        request -> {
          int spoken = ChecksummedBytes.check(MAGIC, Integer.MAX_VALUE, request, name);
          if (spoken < versions.oldest || spoken > versions.newest) {
            throw unsupported(name).with("version", spoken).with(NEWEST, versions.newest);
          }
          Q asked =
              question.readWhole(new WireInput(request, ChecksummedBytes.HEADER_BYTES, spoken));
          return sealed(answer, answering.answer(asked), spoken);
        });
  }

  private static <T> byte[] sealed(Codec<T> codec, T value, int version) throws IOException {
    WireOutput out = new WireOutput(ChecksummedBytes.HEADER_BYTES, version);
    codec.writeWhole(out, value);
    return ChecksummedBytes.sealInPlace(MAGIC, version, out.toArray());
  }

  /// What a node says that does not know a call: it is of another build.
  public static Refusal unsupported(String call) {
    return new Refusal(
            ErrorType.ACTION_NOT_FOUND, "the node is of a build that does not answer such calls")
        .with("call", call);
  }

  /// Whether the other node does not know the call, or this version of it: nothing was done.
  public static boolean isUnsupported(Refusal refusal) {
    return refusal.type() == ErrorType.ACTION_NOT_FOUND;
  }
}
