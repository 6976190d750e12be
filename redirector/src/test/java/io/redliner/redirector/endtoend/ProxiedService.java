// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.embedded.FreePort;
import io.redliner.redirector.kafka.LeaseStatusEncoder;
import io.redliner.redirector.lease.ServiceLeaseStatus;
import io.redliner.testkit.TestKit;
import io.redliner.testkit.TestProxy;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** A service of a {@link SharedRedirector}, its instances, and a proxy that carries it. */
final class ProxiedService implements AutoCloseable {

    /** Which kind of xDS. */
    enum Xds {
        WHOLE_STATE, INCREMENTS
    }

    final Fleet fleet;

    final String name = SharedRedirector.nextName();

    final int port;

    final Traffic traffic;

    final String sut;

    final RunningRedirector redirector;

    private final List<String> instances;

    private final SharedRedirector shared;

    private final ProxiedServiceSettings setting;

    private TestProxy proxy;

    /** @param given instances that run already; without any, some are started */
    private ProxiedService(SharedRedirector shared, ProxiedServiceSettings setting, List<String> given) {
        this.shared = shared;
        this.setting = setting;
        this.port = setting.port() == 0 ? FreePort.next() : setting.port();
        this.redirector = shared.running();
        this.fleet = new Fleet(given.isEmpty() ? setting.size() : 0);
        this.instances = given.isEmpty() ? fleet.addresses() : given;
        this.traffic = new Traffic(port);
        this.sut = instances.getLast();
        shared.put(name, description());
        // A proxy is live when it has got its first service.
        this.proxy = setting.ownProxy() ? startProxy(name) : shared.proxy(group(), () -> startProxy(group()));
    }

    /** Starts what is missing, and waits until traffic is natural. */
    static ProxiedService start(SharedRedirector shared, ProxiedServiceSettings setting) {
        return new ProxiedService(shared, setting, List.of()).natural();
    }

    /** With instances that run already, the last one under test. */
    static ProxiedService start(ProxiedServiceSettings setting, List<String> instances) {
        return new ProxiedService(SharedRedirector.ofJvm(), setting, instances).natural();
    }

    /** Like {@link #start} for a proxy that cannot take what it gets. */
    static ProxiedService startUnproven(ProxiedServiceSettings setting) {
        return new ProxiedService(SharedRedirector.ofJvm(), setting, List.of());
    }

    private ProxiedService natural() {
        await(ReportedLeaseState.NATURAL);
        return this;
    }

    /** Four instances behind a proxy that takes everything from the redirector of the JVM. */
    static ProxiedService start(Xds xds) {
        return start(ProxiedServiceSettings.of(Level.EVERYTHING, xds));
    }

    /** At the redirector of the JVM. */
    static ProxiedService start(ProxiedServiceSettings setting) {
        return start(SharedRedirector.ofJvm(), setting);
    }

    private String description() {
        return ServicesText.service(name, "proxies: " + group(), switch (setting.level()) {
            case EVERYTHING -> "listen: \"127.0.0.1:" + port + "\"";
            case ROUTES_AND_ENDPOINTS -> "";
            case ENDPOINTS_ONLY -> """
                    endpoints: {keyPrefix: routing.profile-be, cluster: profile-be, sutCluster: profile-be-sut, \
                    peersCluster: profile-be-peers, selection: %s}""".formatted(
                    setting.more().isEmpty() ? "split" : setting.more());
            case RUNTIME_ONLY -> """
                    runtime: {keyPrefix: routing.profile-be, sut: "%s", sutCluster: profile-be-canary, \
                    peersCluster: profile-be-rest, selection: %s}""".formatted(sut,
                    setting.more().isEmpty() ? "split" : setting.more());
        }, setting.ownersRoute() ? "" : setting.more(), instances);
    }

    /** The group of proxies that carries this service. */
    private String group() {
        return setting.ownProxy() ? name : setting.xds().name();
    }

    /** A further proxy of the group. */
    TestProxy startProxy(String node) {
        EnvoyBootstrap made = EnvoyBootstrap.of(setting.level(), node, redirector.xdsPort(), FreePort.next(),
                FreePort.next());
        String yaml = made.yaml()
                .replace("\n  cluster: redliner\n", "\n  cluster: " + group() + "\n")
                .replace("address: 0.0.0.0, port_value: 10000", "address: 127.0.0.1, port_value: " + port)
                .replace("route_config_name: profile-be", "route_config_name: " + name)
                .replace("access_log.profile-be", "access_log." + name)
                .replace("api_type: GRPC", setting.xds() == Xds.INCREMENTS ? "api_type: DELTA_GRPC" : "api_type: GRPC");
        for (int i = 0; i < instances.size(); i++) {
            yaml = yaml.replace("address: 10.0.0." + (i + 1) + ", port_value: 8080",
                    "address: 127.0.0.1, port_value: " + instances.get(i).substring(instances.get(i).indexOf(':') + 1));
        }
        assertThat(yaml).contains("cluster: " + group() + "\n");
        EnvoyBootstrap bootstrap = setting.change().apply(made.withYaml(yaml));
        TestProxy started = setting.version().isEmpty()
                ? TestKit.proxy(bootstrap, shared.folder())
                : TestKit.proxyOfVersion(setting.version(), bootstrap, shared.folder());
        started.awaitLive(Duration.ofMinutes(1));
        return started;
    }

    List<String> instances() {
        return instances;
    }

    TestProxy proxy() {
        return proxy;
    }

    /** Ends the proxied's own proxy and starts another one. */
    void replaceProxy(String node) {
        proxy.close();
        proxy = startProxy(node);
    }

    AdminClient admin() {
        return new AdminClient(proxy.adminPort());
    }

    LeaseHolder holder(long epoch) {
        return holder(epoch, Redirect.SPLIT);
    }

    LeaseHolder holder(long epoch, Redirect redirect) {
        return holder(epoch, sut, redirect);
    }

    LeaseHolder holder(long epoch, String instance, Redirect redirect) {
        return new LeaseHolder(redirector, name, instance, epoch, redirect);
    }

    /** A lease that is renewed, in force. */
    LeaseHolder applied(long epoch, int ppm, Redirect redirect) {
        LeaseHolder holder = holder(epoch, redirect);
        hold(holder, epoch, ppm);
        return holder;
    }

    /** From now on this is leased, renewed, and in force. */
    void hold(LeaseHolder holder, long epoch, int ppm) {
        holder.hold(ppm);
        await(status -> status.state() == ReportedLeaseState.APPLIED && status.epoch() == epoch
                && status.share().ppm() == ppm);
    }

    ServiceLeaseStatus last() {
        return redirector.last(name).orElseThrow();
    }

    /** The last status as controllers get it. */
    LeaseStatus lastMessage() {
        return LeaseStatusEncoder.message("redirector", last(), Duration.ZERO, false);
    }

    /** What was reported of this service. */
    List<ServiceLeaseStatus> statuses() {
        return redirector.statuses(name);
    }

    void await(ReportedLeaseState state) {
        await(status -> status.state() == state);
    }

    void await(Predicate<ServiceLeaseStatus> wanted) {
        org.awaitility.Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(10))
                .untilAsserted(() -> assertThat(redirector.last(name)).hasValueSatisfying(status -> {
                    assertThat(status).as(status.toString()).matches(wanted);
                    assertThat(status.proxies()).isNotEmpty();
                }));
    }

    @Override
    public void close() {
        if (setting.ownProxy()) {
            proxy.close();
        }
        shared.remove(name);
        traffic.close();
        fleet.close();
    }
}
