// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.envoyproxy.controlplane.cache.AbstractWatch;
import io.envoyproxy.controlplane.cache.ConfigWatcher;
import io.envoyproxy.controlplane.cache.DeltaResponse;
import io.envoyproxy.controlplane.cache.DeltaWatch;
import io.envoyproxy.controlplane.cache.DeltaXdsRequest;
import io.envoyproxy.controlplane.cache.Response;
import io.envoyproxy.controlplane.cache.VersionedResource;
import io.envoyproxy.controlplane.cache.Watch;
import io.envoyproxy.controlplane.cache.WatchCancelledException;
import io.envoyproxy.controlplane.cache.XdsRequest;
import io.redliner.redirector.dataplane.ResourceKey.Kind;
import io.redliner.redirector.envoy.ProxyGroupResources.Selection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers proxies' requests for configuration, by their group, as soon as there is something new for them. Unlike the
 * library's cache it answers for the part that a proxy asks for, whatever else its group has; and a proxy that refused
 * gets the next version as soon as there is one, and the same version only after a while, for what was in the way may be
 * gone.
 */
final class XdsResponder implements ConfigWatcher {

    private static final Logger LOGGER = LoggerFactory.getLogger(XdsResponder.class);

    /** In the order in which proxies must get them, so that a route never comes before its clusters. */
    private static final List<Kind> ORDER = List.of(Kind.CLUSTER, Kind.ENDPOINTS, Kind.LISTENER, Kind.ROUTE);

    private static final int MOST_RECENT = 8;

    /**
     * What is known of the request for which a watch is being created, beyond what the library hands over.
     *
     * @param refused the version that the request refuses, or null
     * @param has what the proxy has, by name, of streams in increments
     */
    record Answering(@Nullable String refused, Map<String, String> has) {

        private static final Answering NOTHING = new Answering(null, Map.of());
    }

    /** Told right before the library asks for the watch, on the same thread. */
    private static final ThreadLocal<Answering> ANSWERING = ThreadLocal.withInitial(() -> Answering.NOTHING);

    /** Says what is known of the request that this thread deals with now. */
    static void answering(Answering known) {
        ANSWERING.set(known);
    }

    /** A proxy that waits for news of one kind. */
    private static final class Waiting {

        private final AbstractWatch<?, ?> watch;

        private final Function<ProxyGroupResources, @Nullable Runnable> answer;

        private final Function<ProxyGroupResources, String> version;

        /** The version that it refused, until it may be offered again. */
        private @Nullable String refused;

        private @Nullable ScheduledFuture<?> retry;

        Waiting(AbstractWatch<?, ?> watch, Function<ProxyGroupResources, @Nullable Runnable> answer,
                Function<ProxyGroupResources, String> version) {
            this.watch = watch;
            this.answer = answer;
            this.version = version;
        }

        @Nullable
        Runnable answer(ProxyGroupResources resources) {
            return version.apply(resources).equals(refused) ? null : answer.apply(resources);
        }

        void end() {
            if (retry != null) {
                retry.cancel(false);
            }
        }
    }

    private static final class Group {

        private @Nullable ProxyGroupResources current;

        /** The current ones and some before, for what is on its way while new ones are published. */
        private final Deque<ProxyGroupResources> recent = new ArrayDeque<>();

        private final Map<Kind, Set<Waiting>> waiting = new EnumMap<>(Kind.class);

        Set<Waiting> waiting(Kind kind) {
            return waiting.computeIfAbsent(kind, first -> new LinkedHashSet<>());
        }
    }

    private final ScheduledExecutorService timer;

    private final Duration refusalPause;

    private final Map<String, Group> groups = new HashMap<>();

    XdsResponder(ScheduledExecutorService timer, Duration refusalPause) {
        this.timer = timer;
        this.refusalPause = refusalPause;
    }

    /** From now on this is what the group's proxies get. */
    void publish(String name, ProxyGroupResources next) {
        List<Runnable> answers = new ArrayList<>();
        synchronized (this) {
            Group group = group(name);
            group.current = next;
            group.recent.addFirst(next);
            if (group.recent.size() > MOST_RECENT) {
                group.recent.removeLast();
            }
            for (Kind kind : ORDER) {
                answers.addAll(due(group, kind));
            }
        }
        answers.forEach(Runnable::run);
    }

    private List<Runnable> due(Group group, Kind kind) {
        List<Runnable> answers = new ArrayList<>();
        ProxyGroupResources current = group.current;
        if (current != null) {
            group.waiting(kind).removeIf(waiting -> {
                Runnable answer = waiting.answer(current);
                if (answer != null) {
                    waiting.end();
                    answers.add(answer);
                }
                return answer != null;
            });
        }
        return answers;
    }

    private Group group(String name) {
        return groups.computeIfAbsent(name, first -> new Group());
    }

    /** What was sent under this version a moment ago, or null. */
    synchronized @Nullable Selection sent(String name, Kind kind, List<String> names, String version) {
        return group(name).recent.stream()
                .map(resources -> resources.select(kind, names))
                .filter(selection -> selection.version().equals(version))
                .findFirst().orElse(null);
    }

    /** The names that stand for this request, in one order whatever the proxy's; none for everything. */
    static List<String> names(List<String> requested) {
        return requested.contains("*") ? List.of() : requested.stream().sorted().toList();
    }

    @Override
    public Watch createWatch(boolean ads, XdsRequest request, Set<String> known, Consumer<Response> consumer,
            boolean hasClusterChanged, boolean allowDefaultEmptyEdsUpdate) {
        Watch watch = new Watch(ads, allowDefaultEmptyEdsUpdate, request, consumer);
        Kind kind = TypeUrls.of(request.getTypeUrl()).orElse(null);
        List<String> names = names(request.getResourceNamesList());
        if (kind == null || (names.isEmpty() && !TypeUrls.wildcard(kind))) {
            return watch;
        }
        // A cluster that was changed waits for its endpoints, even when they are the same. And a proxy that came before
        // there was anything to compare its version with is asked to acknowledge what it has.
        boolean early = request.getResponseNonce().isEmpty() && nothingYet(request.v3Request().getNode().getCluster());
        boolean anyVersion = early || (hasClusterChanged && kind == Kind.ENDPOINTS && !request.hasErrorDetail());
        Waiting waiting = new Waiting(watch, resources -> {
            Selection selection = resources.select(kind, names);
            boolean news = anyVersion || !selection.version().equals(request.getVersionInfo());
            return news && (!selection.resources().isEmpty() || TypeUrls.wildcard(kind))
                    ? () -> respond(watch, Response.create(request,
                            selection.resources().stream().map(VersionedResource::resource).toList(),
                            selection.version()))
                    : null;
        }, resources -> resources.select(kind, names).version());
        await(request.v3Request().getNode().getCluster(), kind, waiting);
        return watch;
    }

    private synchronized boolean nothingYet(String name) {
        return group(name).current == null;
    }

    @Override
    public DeltaWatch createDeltaWatch(DeltaXdsRequest request, String requesterVersion,
            Map<String, String> resourceVersions, Set<String> pendingResources, boolean isWildcard,
            Consumer<DeltaResponse> responseConsumer, boolean hasClusterChanged) {
        Answering answering = ANSWERING.get();
        // The library forgets what a proxy brought along; the tracker does not.
        Map<String, String> has = answering.has();
        Set<String> asked = Set.copyOf(pendingResources);
        DeltaWatch watch = new DeltaWatch(request, has, asked, requesterVersion, isWildcard, responseConsumer);
        Kind kind = TypeUrls.of(request.getTypeUrl()).orElse(null);
        if (kind == null) {
            return watch;
        }
        boolean resend = hasClusterChanged && kind == Kind.ENDPOINTS && !request.hasErrorDetail();
        Waiting waiting = new Waiting(watch, resources -> {
            Map<String, VersionedResource<?>> changed = new HashMap<>();
            resources.all(kind).forEach((name, resource) -> {
                boolean subscribed = isWildcard || asked.contains(name) || has.containsKey(name);
                boolean again = resend && asked.contains(name);
                if (subscribed && (again || !resource.version().equals(has.get(name)))) {
                    changed.put(name, resource);
                }
            });
            List<String> removed = has.keySet().stream()
                    .filter(name -> !resources.all(kind).containsKey(name)).sorted().toList();
            return changed.isEmpty() && removed.isEmpty()
                    ? null
                    : () -> respond(watch, DeltaResponse.create(request, changed, removed,
                            resources.select(kind, List.of()).version()));
        }, resources -> resources.select(kind, List.of()).version());
        await(request.v3Request().getNode().getCluster(), kind, waiting);
        return watch;
    }

    private void await(String name, Kind kind, Waiting waiting) {
        Runnable answer;
        synchronized (this) {
            Group group = group(name);
            waiting.watch.setStop(() -> stop(group, kind, waiting));
            waiting.refused = ANSWERING.get().refused();
            if (waiting.refused != null) {
                waiting.retry = timer.schedule(() -> retry(group, kind, waiting), refusalPause.toMillis(),
                        TimeUnit.MILLISECONDS);
            }
            // Only the new one: the others have been looked at, and a thousand proxies that come at once must not cost a
            // million looks.
            answer = group.current == null ? null : waiting.answer(group.current);
            if (answer == null) {
                group.waiting(kind).add(waiting);
            } else {
                waiting.end();
            }
        }
        if (answer != null) {
            answer.run();
        }
    }

    private synchronized void stop(Group group, Kind kind, Waiting waiting) {
        waiting.end();
        group.waiting(kind).remove(waiting);
    }

    private void retry(Group group, Kind kind, Waiting waiting) {
        List<Runnable> answers;
        synchronized (this) {
            waiting.refused = null;
            answers = due(group, kind);
        }
        answers.forEach(Runnable::run);
    }

    private static <T> void respond(AbstractWatch<?, T> watch, T response) {
        try {
            watch.respond(response);
        } catch (WatchCancelledException gone) {
            LOGGER.debug("a proxy is gone before it was answered", gone);
        } catch (RuntimeException failed) {
            // The others must get theirs; this one's silence is noticed.
            LOGGER.warn("a proxy could not be answered", failed);
        }
    }
}
