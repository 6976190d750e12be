// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.embedded.FreePort;
import io.redliner.fixture.Fixture;
import io.redliner.fixture.Proxy;
import io.redliner.redirector.share.Redirect;
import io.redliner.redirector.share.ShareStatus;
import io.redliner.redirector.share.ShareStatus.State;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** A fleet called {@code demo}, a redirector, and a proxy with one of the bootstraps that owners get. */
final class Scene implements AutoCloseable {

    /** Which kind of xDS. */
    enum Xds {
        WHOLE_STATE, INCREMENTS
    }

    final Fleet fleet;

    final int port = FreePort.next();

    final Traffic traffic = new Traffic(port);

    final String sut;

    final RunningRedirector redirector;

    final Proxy proxy;

    private Scene(Path folder, Level level, Xds xds, int size, String more, UnaryOperator<EnvoyBootstrap> change) {
        this.fleet = new Fleet(size);
        this.sut = fleet.addresses().getLast();
        this.redirector = RunningRedirector.start(services(folder, level, more), 0,
                "redliner.redirector.loop.cluster-linger=1s");
        redirector.begin();
        this.proxy = Fixture.proxy(change.apply(bootstrap(level, xds, "node-1")), folder);
        proxy.awaitLive(Duration.ofSeconds(20));
        await(State.NATURAL);
    }

    /** Four instances behind a proxy that takes everything from the redirector. */
    static Scene start(Path folder, Xds xds) {
        return start(folder, Level.EVERYTHING, xds, 4);
    }

    static Scene start(Path folder, Level level, Xds xds, int size) {
        return start(folder, level, xds, size, "");
    }

    /**
     * @param more a line of the service in the services file; at level 1 how the owner's route chooses, or
     *        nothing for split
     */
    static Scene start(Path folder, Level level, Xds xds, int size, String more) {
        return new Scene(folder, level, xds, size, more, UnaryOperator.identity());
    }

    /** Four instances of which the proxy ejects up to half, and says so. */
    static Scene ejecting(Path folder) {
        return new Scene(folder, Level.EVERYTHING, Xds.WHOLE_STATE, 4,
                "ejection: {consecutiveErrors: 3, interval: 1s, baseTime: 2s, maxPercent: 50}",
                EnvoyBootstrap::reportingEjections);
    }

    /** Four instances behind a proxy whose own route chooses by users. */
    static Scene owning(Path folder, String selection, String chooses) {
        return new Scene(folder, Level.RUNTIME_ONLY, Xds.WHOLE_STATE, 4, selection, bootstrap -> bootstrap.withYaml(
                bootstrap.yaml()
                        .replace("timeout: 15s\n", "timeout: 15s\n                            hash_policy: "
                                + "[{header: {header_name: x-user-id}}]\n")
                        .replace("runtime_key_prefix: routing.profile-be\n", "runtime_key_prefix: routing.profile-be\n"
                                + "                              " + chooses + "\n")));
    }

    private Path services(Path folder, Level level, String more) {
        return switch (level) {
            case EVERYTHING ->
                ServicesText.write(folder, "listen: \"127.0.0.1:" + port + "\"", more, fleet.addresses());
            case ROUTES_AND_ENDPOINTS -> ServicesText.write(folder, "", more, fleet.addresses());
            case RUNTIME_ONLY -> ServicesText.write(folder, """
                    runtime: {keyPrefix: routing.profile-be, sut: "%s", sutCluster: profile-be-canary, \
                    peersCluster: profile-be-rest, selection: %s}""".formatted(sut, more.isEmpty() ? "split" : more),
                    "",
                    fleet.addresses());
        };
    }

    /** The bootstrap of a further proxy. */
    EnvoyBootstrap bootstrap(Level level, Xds xds, String node) {
        EnvoyBootstrap made = EnvoyBootstrap.of(level, node, redirector.xdsPort(), FreePort.next(), FreePort.next());
        String yaml = made.yaml()
                .replace("address: 0.0.0.0, port_value: 10000", "address: 127.0.0.1, port_value: " + port)
                .replace("route_config_name: profile-be", "route_config_name: demo")
                .replace("api_type: GRPC", xds == Xds.INCREMENTS ? "api_type: DELTA_GRPC" : "api_type: GRPC");
        List<String> own = fleet.addresses();
        for (int i = 0; i < own.size(); i++) {
            yaml = yaml.replace("address: 10.0.0." + (i + 1) + ", port_value: 8080",
                    "address: 127.0.0.1, port_value: " + own.get(i).substring(own.get(i).indexOf(':') + 1));
        }
        return made.withYaml(yaml);
    }

    Tenant tenant(long epoch, Redirect redirect) {
        return new Tenant(redirector, sut, epoch, redirect);
    }

    /** A lease that is renewed, in force. */
    Tenant applied(long epoch, int ppm, Redirect redirect) {
        Tenant tenant = tenant(epoch, redirect);
        tenant.hold(ppm);
        await(status -> status.state() == State.APPLIED && status.epoch() == epoch);
        return tenant;
    }

    ShareStatus last() {
        return redirector.last("demo").orElseThrow();
    }

    void await(State state) {
        await(status -> status.state() == state);
    }

    void await(Predicate<ShareStatus> wanted) {
        org.awaitility.Awaitility.await().pollInterval(Duration.ofMillis(10))
                .untilAsserted(() -> assertThat(redirector.last("demo")).hasValueSatisfying(status -> {
                    assertThat(status).as(status.toString()).matches(wanted);
                    assertThat(status.proxies()).isNotEmpty();
                }));
    }

    @Override
    public void close() {
        proxy.close();
        redirector.close();
        traffic.close();
        fleet.close();
    }
}
