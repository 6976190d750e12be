// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import io.redliner.contract.redirect.RedirectMode;
import io.redliner.redirector.dataplane.ProxyEventHandler.ProxySoftware;
import io.redliner.redirector.dataplane.ProxyEventHandler.Refusal;
import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.dataplane.ProxyTraffic;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.dataplane.ResourceKey.StreamKind;
import io.redliner.redirector.kafka.LeaseStatusEncoder;
import io.redliner.redirector.lease.ActiveLease;
import io.redliner.redirector.lease.DataPlane;
import io.redliner.redirector.lease.DataPlane.DesiredRouting;
import io.redliner.redirector.lease.Lease;
import io.redliner.redirector.lease.LeaseJournal;
import io.redliner.redirector.lease.LeaseReconciler;
import io.redliner.redirector.lease.LeaseRejectionReason;
import io.redliner.redirector.lease.LeaseStatusSink;
import io.redliner.redirector.lease.LeaseTimeouts;
import io.redliner.redirector.lease.ServiceLeaseStatus;
import io.redliner.redirector.routing.RouteLayout;
import io.redliner.redirector.routing.RoutedServices;
import io.redliner.redirector.routing.Service;
import io.redliner.simulation.SimulatedProxy.Forged;
import io.redliner.simulation.SimulatedProxy.LeaseTag;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One process of the redirector: its real heart, with the loop, the data plane and the journal played in virtual time.
 * Proxies get what {@code redirector.envoy} sends: a layout first, and a share only when they were admitted to it.
 */
final class SimulatedRedirector implements DataPlane, LeaseStatusSink, LeaseJournal {

    static final LeaseTimeouts RULES = new LeaseTimeouts(Duration.ofMillis(300), Duration.ofSeconds(2),
            Duration.ofSeconds(10), 0);

    private static final ProxySoftware SOFTWARE = new ProxySoftware("simulated", Set.of(RedirectMode.SPLIT));

    private static final String LAYOUT = "LAYOUT";

    private static final long SIGN_OF_LIFE = 1000;

    private final VirtualTime time;

    final String name;

    private final String service;

    private final LeaseReconciler heart;

    private final Promises promises;

    private final Consumer<byte[]> statuses;

    private final SplittableRandom random;

    private final Map<SimulatedProxy, Connection> connections = new LinkedHashMap<>();

    /** All that a share needs. */
    private final ResourceKey layoutKey;

    private @Nullable DesiredRouting arrangement;

    private @Nullable LeaseTag obeyed;

    private LeaseRecord taken = LeaseRecord.written("", new byte[0], false, 0);

    private long streams;

    private long nextWake = Long.MAX_VALUE;

    private boolean alive = true;

    SimulatedRedirector(VirtualTime time, String name, Service service, Promises promises,
            Consumer<byte[]> statuses, SplittableRandom random) {
        this.time = time;
        this.name = name;
        this.service = service.name();
        this.layoutKey = new ResourceKey(StreamKind.CONFIGURATION, LAYOUT, service.name());
        this.promises = promises;
        this.statuses = statuses;
        this.random = random;
        this.heart = new LeaseReconciler(RoutedServices.of(List.of(service)), RULES, this, this, this,
                new ProxyTraffic(time), time);
    }

    boolean alive() {
        return alive;
    }

    /** Begins with what there is in the topic. */
    void start(List<LeaseRecord> records) {
        records.forEach(record -> take(record, true));
        heart.start();
        turn(() -> {});
        signsOfLife();
    }

    private void signsOfLife() {
        time.after(SIGN_OF_LIFE, () -> {
            if (alive) {
                turn(heart::reportAll);
                signsOfLife();
            }
        });
    }

    /** A record came in. */
    void received(LeaseRecord record) {
        turn(() -> take(record, false));
    }

    private void take(LeaseRecord record, boolean late) {
        taken = record;
        record.deliver(heart, lease -> {
            if (!record.forged()) {
                promises.seen(name, lease.epoch());
            }
        }, time.instant(), late);
    }

    void replaced(Service fleet) {
        turn(() -> heart.replaced(RoutedServices.of(List.of(fleet))));
    }

    /** The process is gone; connected processes notice. */
    List<SimulatedProxy> die() {
        alive = false;
        List<SimulatedProxy> left = List.copyOf(connections.keySet());
        connections.values().forEach(Connection::close);
        connections.clear();
        return left;
    }

    void connect(SimulatedProxy proxy) {
        streams++;
        Connection connection = new Connection(proxy, streams);
        connections.put(proxy, connection);
        turn(() -> {
            heart.opened(connection.shares, proxy.node, Service.DEFAULT_PROXIES, SOFTWARE);
            heart.opened(connection.configuration, proxy.node, Service.DEFAULT_PROXIES, SOFTWARE);
            heart.carries(connection.configuration, Set.of(service));
        });
    }

    boolean carries(SimulatedProxy proxy) {
        return connections.containsKey(proxy);
    }

    /** For how long it has been connected to the proxy, ms; 0 when it is not. */
    long connectedFor(SimulatedProxy proxy) {
        Connection connection = connections.get(proxy);
        return connection == null || connection.closed ? 0 : time.now() - connection.openedAt;
    }

    List<SimulatedProxy> proxies() {
        return List.copyOf(connections.keySet());
    }

    /** They do not hear each other, and do not notice yet. */
    void lose(SimulatedProxy proxy) {
        Connection connection = connections.get(proxy);
        if (connection != null) {
            connection.close();
        }
    }

    /** The streams end. */
    void disconnect(SimulatedProxy proxy) {
        Connection connection = connections.remove(proxy);
        if (connection != null && alive) {
            connection.close();
            turn(() -> {
                heart.closed(connection.configuration);
                heart.closed(connection.shares);
            });
        }
    }

    private void turn(Runnable work) {
        if (!alive) {
            return;
        }
        work.run();
        heart.reconcile();
        heart.nextChange().ifPresent(next -> {
            long wake = VirtualTime.since(next) + 1;
            if (wake < nextWake || nextWake <= time.now()) {
                nextWake = Math.max(wake, time.now() + 1);
                time.at(nextWake, () -> turn(() -> {}));
            }
        });
    }

    @Override
    public Map<String, Map<ResourceKey, String>> apply(List<DesiredRouting> arrangements) {
        DesiredRouting next = arrangements.getFirst();
        DesiredRouting before = arrangement;
        if (before == null || !sameTest(before, next)) {
            connections.values().forEach(connection -> connection.admitted = false);
        }
        arrangement = next;
        return Map.of(service, Map.of(layoutKey, layout(next), ResourceKey.share(service),
                next.lease().map(SimulatedRedirector::version).orElse(ResourceKey.NATURAL_SHARE)));
    }

    private static boolean sameTest(DesiredRouting one, DesiredRouting other) {
        return one.lease().isPresent() && other.lease().isPresent()
                && one.layout() instanceof RouteLayout.SplitClusters test
                && other.layout() instanceof RouteLayout.SplitClusters next
                && next.sameTest(test);
    }

    private static String layout(DesiredRouting arrangement) {
        return (arrangement.layout() instanceof RouteLayout.SplitClusters ? "tested" : "plain")
                + arrangement.service().instances().size();
    }

    private static String version(ActiveLease lease) {
        return "share" + lease.share().ppm();
    }

    @Override
    public void withdraw(Service gone) {
        throw new AssertionError("nobody takes " + gone.name() + " away");
    }

    @Override
    public void suspend(Set<String> groups) {
        if (!groups.isEmpty()) {
            throw new AssertionError("all fleets are known, and yet nothing is sent to " + groups);
        }
    }

    @Override
    public void admit(StreamId shares, String admitted) {
        connections.values().stream().filter(connection -> connection.shares.equals(shares))
                .forEach(connection -> connection.admitted = true);
    }

    @Override
    public void send() {
        DesiredRouting known = arrangement;
        if (known != null) {
            connections.values().forEach(connection -> connection.send(known));
        }
    }

    @Override
    public void publish(ServiceLeaseStatus status) {
        statuses.accept(LeaseStatusEncoder.message(name, status, Duration.ZERO, true).toByteArray());
    }

    @Override
    public void ended(String service) {
        throw new AssertionError("nobody takes " + service + " out of the services file");
    }

    @Override
    public void accepted(Lease lease) {
        LeaseTag tag = new LeaseTag(lease.epoch(), lease.sequence(),
                taken.forged() ? Forged.after(obeyed, lease.epoch(), taken.at()) : null);
        promises.obeyed(this, tag, lease.released());
        obeyed = lease.released() ? null : tag;
    }

    @Override
    public void rejected(Lease lease, LeaseRejectionReason rejection) {
        // The status says so, too.
    }

    /** Both streams of a proxy. What is sent on them arrives in its order, or never. */
    private final class Connection {

        private final SimulatedProxy proxy;

        private final StreamId configuration;

        private final StreamId shares;

        private final String brought;

        private final long openedAt = time.now();

        private boolean admitted;

        private boolean refusing;

        private boolean closed;

        private String sentLayout = "";

        private @Nullable ActiveLease sentLease;

        private boolean sentAnyShare;

        private long down;

        private long up;

        Connection(SimulatedProxy proxy, long number) {
            this.proxy = proxy;
            this.brought = proxy.version();
            this.configuration = new StreamId(StreamKind.CONFIGURATION, number);
            this.shares = new StreamId(StreamKind.SHARES, number);
        }

        void close() {
            closed = true;
        }

        void send(DesiredRouting wanted) {
            String layout = layout(wanted);
            if (!layout.equals(sentLayout)) {
                sentLayout = layout;
                tell(() -> answer(() -> heart.acknowledged(configuration, LAYOUT, Map.of(layoutKey, layout))));
            }
            ActiveLease lease = wanted.lease().orElse(null);
            if (!held(lease)) {
                send(admitted ? lease : null);
            }
        }

        /** As {@code RuntimeLayer} does with a proxy that comes from another redirector. */
        private boolean held(@Nullable ActiveLease lease) {
            if (sentAnyShare || brought.isEmpty() || lease == null) {
                return false;
            }
            admitted |= version(lease).equals(brought);
            return !admitted && time.now() < openedAt + 1000;
        }

        private void send(@Nullable ActiveLease lease) {
            boolean same = lease == null ? sentLease == null : lease.equals(sentLease);
            boolean refused = refusing && lease != null && sentLease != null
                    && version(lease).equals(version(sentLease));
            if ((sentAnyShare && same) || refused) {
                return;
            }
            sentAnyShare = true;
            sentLease = lease;
            if (lease == null) {
                tell(() -> {
                    proxy.natural();
                    answer(() -> heart.acknowledged(shares, ResourceKey.SHARE, Map.of()));
                });
                return;
            }
            LeaseTag tag = obeyed;
            if (tag == null) {
                throw new AssertionError("a share without a lease: " + lease);
            }
            long ttl = Math.max(1, VirtualTime.since(lease.expiry()) - time.now());
            tell(() -> take(lease, tag, ttl));
        }

        private void take(ActiveLease lease, LeaseTag tag, long ttl) {
            Map<ResourceKey, String> versions = Map.of(ResourceKey.share(service), version(lease));
            if (proxy.refuses) {
                answer(() -> {
                    refusing = true;
                    heart.refused(shares, ResourceKey.SHARE,
                            new Refusal(versions, "no such thing"));
                });
                return;
            }
            proxy.override(lease.share().ppm(), tag, ttl, version(lease));
            answer(() -> {
                refusing = false;
                heart.acknowledged(shares, ResourceKey.SHARE, versions);
            });
        }

        private void tell(Runnable what) {
            down = Math.max(down, time.now() + 1 + random.nextInt(Promises.LINK_MS));
            time.at(down, () -> {
                if (!closed) {
                    what.run();
                }
            });
        }

        private void answer(Runnable what) {
            up = Math.max(up, time.now() + 1 + random.nextInt(Promises.LINK_MS));
            time.at(up, () -> {
                if (!closed && !proxy.silent) {
                    turn(what);
                }
            });
        }
    }
}
