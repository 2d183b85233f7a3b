package dev.holdfast.simulation.cluster;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.OnlineSplit;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.compoundcommit.notice.SearchNotices;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.call.ShardOwner;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.simulation.cluster.Intercepted.Call;
import dev.holdfast.simulation.cluster.Intercepted.Request;
import dev.holdfast.simulation.cluster.Intercepted.Verb;
import dev.holdfast.simulation.schedule.Scheduler;
import dev.holdfast.translog.Log;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/// A known bug, planted by standing in for a collaborator: the simulation must find each.
public enum Plant {
  /// The product as it is.
  NONE,
  /// Acknowledge by a lease read before the upload, without conditional put (§5).
  LEASE_READ_BEFORE_UPLOAD,
  /// A new owner replays a log without fencing it.
  FENCE_SKIPPED,
  /// A new owner replays what lies behind a gap in a log: files that were in flight when it was
  /// fenced, or that land behind its end.
  REPLAY_BEHIND_GAPS,
  /// Translog files go before the commit that makes them unneeded is in the store (§6.2).
  DELETE_BEFORE_PUBLISH,
  /// The search tier hears of commits whose operations are not durable (§4.1).
  NOTICE_BEFORE_DURABILITY,
  /// Answers tell of operations that are not durable (§5): conflicts, real-time gets, updates that
  /// change nothing.
  TELL_BEFORE_DURABLE,
  /// What search copies still read is not asked (§6.1).
  IN_USE_REPORT_IGNORED,
  /// Nobody looks whether what a shard is opened with is all there was (decision 018).
  IGNORE_GAPS,
  /// The first refusal (403) of a translog file ends the node.
  DIE_ON_REFUSAL,
  /// A translog file that was refused counts as uploaded.
  DROP_REFUSED_WRITE,
  /// An owner does not recognise a write that is sent again, and does it twice.
  APPLIED_TWICE,
  /// The same for writes on a condition: they are refused for their own success.
  OWN_CONFLICT,
  /// The log does not say which write its operations are part of: a new owner recognises none.
  ORIGIN_NOT_LOGGED,
  /// A store without a cluster state is taken for one without a cluster (decision 017).
  TREAT_LOST_STATE_AS_EMPTY,
  /// A node answers searches and real-time gets whether or not others may have what it had.
  SERVES_WITHOUT_LIMIT,
  /// A follower that doubts its leader waits until it can read the lease, and does not beat
  /// meanwhile.
  WAITS_FOR_THE_LEASE,
  /// A leader whose lease somebody deletes does not put it back (decision 017).
  LOST_LEASE_STAYS_LOST,
  /// A shard whose folder or log has something in it that is not ours is not opened.
  STOPPED_BY_NOTES,
  /// A shard that was added does not recognise a write that was sent to its source before (decision
  /// 031).
  ADDED_SHARD_FORGETS,
  /// An owner takes gets and refreshes of who has not heard that the shard was divided.
  DIVISION_FORGOTTEN,
  /// What is acknowledged is not in the store yet.
  ACKNOWLEDGES_AT_ONCE,
  /// A split is given up that has made shards already, as if all of them were there.
  GIVEN_UP_TOO_LATE;

  public String option() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// The state in which a split is given up.
  public ClusterState givenUp(ClusterState state, IndexId id) {
    IndexMetadata index = state.indices().get(id.name());
    IndexSplit split = index == null ? null : index.split();
    return this != GIVEN_UP_TOO_LATE || index == null || split == null
        ? OnlineSplit.givenUp(state, id)
        : state.withIndex(
            index.withSplit(
                new IndexSplit(split.base(), index.shards(), index.shards(), split.parts())));
  }

  public static Plant of(String option) {
    return valueOf(option.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /// The store that the node's log writes to.
  ObjectStore logStore(ObjectStore store, Ownership ownership) {
    return this != LEASE_READ_BEFORE_UPLOAD
        ? store
        : new Intercepted(
            store,
            new Intercepted.Interceptor() {
              @Override
              @SuppressWarnings("unchecked")
              public <T> T around(Call call, Request<T> request) throws StoreException {
                if (call.verb() != Verb.PUT_IF_ABSENT || call.body() == null) {
                  return request.send();
                }
                try {
                  if (!ownership.isStillMember()) {
                    return (T) new ObjectStore.Creation.AlreadyExists();
                  }
                } catch (StoreException e) {
                  throw e;
                } catch (IOException e) {
                  throw new StoreException.Unavailable("lease", e);
                }
                ObjectStore.Version version = store.put(call.key(), call.body());
                return (T) new ObjectStore.Creation.Created(version);
              }
            });
  }

  /// What each try of the node's log to write passes.
  ObjectStore logTries(ObjectStore store) {
    return this != DIE_ON_REFUSAL && this != DROP_REFUSED_WRITE
        ? store
        : new Intercepted(
            store,
            new Intercepted.Interceptor() {
              @Override
              @SuppressWarnings("unchecked")
              public <T> T around(Call call, Request<T> request) throws StoreException {
                try {
                  return request.send();
                } catch (StoreException.Unavailable e) {
                  if (!e.failure().isRefusal() || call.verb() != Verb.PUT_IF_ABSENT) {
                    throw e;
                  }
                  if (Plant.this == DIE_ON_REFUSAL) {
                    throw new StoreException.Denied("refused", e);
                  }
                  return (T) new ObjectStore.Creation.Created(ObjectStore.Version.UNKNOWN);
                }
              }
            });
  }

  /// The store that the cluster state lies in.
  ObjectStore clusterStore(ObjectStore store) {
    return this == LOST_LEASE_STAYS_LOST ? withoutNewLease(store) : withoutOldCluster(store);
  }

  /// There is no lease again where there is a state.
  private static ObjectStore withoutNewLease(ObjectStore store) {
    return new Intercepted(
        store,
        new Intercepted.Interceptor() {
          @Override
          @SuppressWarnings("unchecked")
          public <T> T around(Call call, Request<T> request) throws StoreException {
            return call.verb() == Verb.COMPARE_AND_SET
                    && store.get(call.key()).isEmpty()
                    && !store.list("cluster/state/", "", 1).isEmpty()
                ? (T) new ObjectStore.Swap.Conflict()
                : request.send();
          }
        });
  }

  private ObjectStore withoutOldCluster(ObjectStore store) {
    return this != TREAT_LOST_STATE_AS_EMPTY
        ? store
        : new Intercepted(
            store,
            new Intercepted.Interceptor() {
              @Override
              @SuppressWarnings("unchecked")
              public <T> T around(Call call, Request<T> request) throws StoreException {
                return call.verb() == Verb.LIST && !call.key().startsWith("cluster/")
                    ? (T) List.of()
                    : request.send();
              }
            });
  }

  /// What a node's part in the cluster gets from outside.
  ///
  /// @param patience how long a follower waits for the lease
  World clusterWorld(World world, Duration patience) {
    return this != WAITS_FOR_THE_LEASE
        ? world
        : new World(
            world.clock(),
            new PatientSleeper(world.sleeper(), patience),
            world.ids(),
            world.chance(),
            world.tasks(),
            world.memory());
  }

  /// The store that fences of evicted nodes are put to.
  ObjectStore fenceStore(ObjectStore store) {
    return this != FENCE_SKIPPED ? store : skippingFences(store);
  }

  private static ObjectStore skippingFences(ObjectStore store) {
    return new Intercepted(
        store,
        new Intercepted.Interceptor() {
          @Override
          @SuppressWarnings("unchecked")
          public <T> T around(Call call, Request<T> request) throws StoreException {
            return call.verb() == Verb.PUT_IF_ABSENT && isEndOfLog(store, call.key())
                ? (T) new ObjectStore.Creation.Created(ObjectStore.Version.UNKNOWN)
                : request.send();
          }
        });
  }

  /// The store that shards recover from, upload to and delete from.
  ObjectStore shardStore(ObjectStore store, AtomicReference<Log> log) {
    return switch (this) {
      case FENCE_SKIPPED -> skippingFences(store);
      case STOPPED_BY_NOTES ->
          new Intercepted(
              store,
              new Intercepted.Interceptor() {
                @Override
                public <T> T around(Call call, Request<T> request) throws StoreException {
                  T answer = request.send();
                  if (answer instanceof List<?> listed
                      && listed.stream().anyMatch(SharedStore::isTheirs)) {
                    throw new StoreException.Denied("what is this?", null);
                  }
                  return answer;
                }
              });
      case REPLAY_BEHIND_GAPS -> new Intercepted(store, new FilledGaps());
      case DELETE_BEFORE_PUBLISH ->
          new Intercepted(
              store,
              new Intercepted.Interceptor() {
                @Override
                public <T> T around(Call call, Request<T> request) throws StoreException {
                  if (call.verb() == Verb.PUT_IF_ABSENT && call.key().startsWith("shards/")) {
                    releaseLog(call, log.get());
                  }
                  return request.send();
                }
              });
      default -> store;
    };
  }

  private static boolean isEndOfLog(ObjectStore store, String key) throws StoreException {
    String folder = key.substring(0, key.lastIndexOf('/') + 1);
    return key.startsWith("log/") && store.list(folder, key, 1).isEmpty();
  }

  private static void releaseLog(Call call, Log log) throws StoreException {
    String[] parts = call.key().split("/");
    ShardId shard = new ShardId(new IndexId(parts[2], parts[2]), Integer.parseInt(parts[3]));
    MemoryStore alone = new MemoryStore();
    if (call.body() == null) {
      return;
    }
    alone.put(call.key(), call.body());
    try {
      long ordinal = new CommitStore(alone, shard).newest().orElseThrow().translog().ordinal();
      log.release(SimulatedCluster.named(shard), ordinal);
      log.deletable(ordinal);
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      throw new StoreException.Denied("a batch can't be read", e);
    }
  }

  /// The cluster state as shards read it.
  Metadata metadata(Metadata metadata) {
    return this != IGNORE_GAPS ? metadata : new Unknowing(metadata);
  }

  /// A state that knows nothing of what must be in the store.
  private record Unknowing(Metadata metadata) implements Metadata {
    @Override
    public ClusterState current() {
      ClusterState state = metadata.current();
      for (String custom : metadata.current().customs().keySet()) {
        state = UploadMarks.isOne(custom) ? state.withoutCustom(custom) : state;
      }
      return state;
    }

    @Override
    public String leaderId() {
      return metadata.leaderId();
    }

    @Override
    public ClusterState update(String reason, UnaryOperator<ClusterState> change)
        throws InterruptedException {
      return metadata.update(reason, change);
    }

    @Override
    public void listen(Listener listener) {
      metadata.listen(listener);
    }
  }

  /// The shards of a node as nodes that route writes see them.
  ShardOwner owner(ShardOwner here) {
    return switch (this) {
      case APPLIED_TWICE -> new ForgetfulOwner(here, ForgetfulOwner.UNCONDITIONAL, false);
      case OWN_CONFLICT -> new ForgetfulOwner(here, ForgetfulOwner.CONDITIONAL, false);
      case ADDED_SHARD_FORGETS -> new ForgetfulOwner(here, ForgetfulOwner.OF_ADDED_SHARDS, false);
      case DIVISION_FORGOTTEN -> new ForgetfulOwner(here, ForgetfulOwner.NO_WRITES, true);
      default -> here;
    };
  }

  /// Who says whether the node may answer.
  Ownership ownership(Ownership ownership) {
    return this != SERVES_WITHOUT_LIMIT
        ? ownership
        : new Ownership() {
          @Override
          public String nodeEphemeralId() {
            return ownership.nodeEphemeralId();
          }

          @Override
          public boolean isStillMember() throws IOException {
            return ownership.isStillMember();
          }

          @Override
          public boolean mayServe() {
            return true;
          }

          @Override
          public void evicted(String why) {
            ownership.evicted(why);
          }
        };
  }

  /// The log as shards use it.
  Log log(Log log, Scheduler scheduler) {
    if (this == ORIGIN_NOT_LOGGED) {
      return new NamelessLog(log);
    }
    if (this == ACKNOWLEDGES_AT_ONCE) {
      return new SwiftLog(log);
    }
    return this == NOTICE_BEFORE_DURABILITY || this == TELL_BEFORE_DURABLE
        ? new HastyLog(log, scheduler, this == TELL_BEFORE_DURABLE)
        : log;
  }

  /// The search tier as shards tell it.
  SearchNotices notices(SearchNotices search) {
    return this != IN_USE_REPORT_IGNORED
        ? search
        : new SearchNotices() {
          @Override
          public InUse commit(CommitNotice notice) throws IOException {
            InUse _ = search.commit(notice);
            return InUse.NOTHING;
          }

          @Override
          public InUse inUse(ShardId shard, long stateVersion) {
            return InUse.NOTHING;
          }
        };
  }
}
