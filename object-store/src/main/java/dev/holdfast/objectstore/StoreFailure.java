package dev.holdfast.objectstore;

import java.util.Locale;

/// Why a store does not do now what it is asked, sorted by what a person would do about it. All of
/// these may come right by themselves, or by somebody's deed, while this process runs: whoever
/// needs the request tries again.
public enum StoreFailure {
  /// No answer, or a cut one.
  NETWORK(
      false, "check the network between this node and the store, and that the store is running"),
  /// The store answers that it is in trouble itself.
  INTERNAL(false, "the provider's status page may say more"),
  /// Too many requests for the store's taste.
  THROTTLED(false, "wait, or raise the store's limit of requests"),
  /// Nobody knows who asks: the credentials are missing, expired, revoked or wrong. They are read
  /// again from where they came from.
  CREDENTIALS(
      true, "renew the credentials where this node finds them; it reads them again by itself"),
  /// The clocks of this machine and of the store are too far apart.
  CLOCK(true, "set the clock of this machine: the store accepts no requests of another time"),
  /// The store knows who asks and does not permit it: IAM, bucket policy, encryption key, firewall,
  /// account.
  DENIED(
      true,
      "permit reads, writes, deletes and lists of the store's prefix, and the use of its"
          + " encryption key"),
  /// Something on the way answers in the store's place, and not as a store does: a proxy, a load
  /// balancer, a page that asks for a password.
  GATEWAY(
      true,
      "look at the proxy or load balancer between this node and the store: the answer is not the"
          + " store's"),
  /// There is no such bucket or container.
  NO_BUCKET(
      true, "bring the bucket or container back; an empty one in its place is not this store"),
  /// No room: a full disk, or a quota that is used up.
  FULL(true, "make room on the store, or raise its quota"),
  /// The object lies in a class that answers after hours: a rule of the bucket moved it there, or a
  /// person. Others may be read.
  ARCHIVED(
      true,
      "have the provider move the object back to a class that answers at once, and end the rule"
          + " that moved it");

  private final boolean isRefusal;
  private final String advice;

  StoreFailure(boolean isRefusal, String advice) {
    this.isRefusal = isRefusal;
    this.advice = advice;
  }

  /// As in `denied`.
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Whether a status that comes without an error of the store is of a [#GATEWAY]; of those that
  /// say more by themselves, none is.
  public static boolean isOfGateway(int status) {
    return switch (status) {
      case 401, 403, 407, 408, 409, 412, 416, 429 -> false;
      default -> status >= 300 && status < 500;
    };
  }

  /// Whether the store answers and says no: waiting alone may not help.
  public boolean isRefusal() {
    return isRefusal;
  }

  /// What a person can do.
  public String advice() {
    return advice;
  }
}
