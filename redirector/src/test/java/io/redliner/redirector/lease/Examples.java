// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.Share;
import io.redliner.redirector.dataplane.ProxyEventHandler.ProxySoftware;
import io.redliner.redirector.envoy.EnvoyIntegration;
import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.Instance;
import io.redliner.redirector.routing.RoutedServices;
import io.redliner.redirector.routing.Service;
import io.redliner.redirector.routing.Upstream;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/** One service of four instances, and leases on its last. */
final class Examples {

    static final ProxySoftware SOFTWARE = new ProxySoftware("Envoy 1.40",
            EnumSet.allOf(RedirectMode.class));

    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    static final Duration TTL = Duration.ofSeconds(5);

    static final Instance SUT = instance(9004);

    static final Instance PEER = instance(9001);

    static final Service SERVICE = new Service("demo", Service.DEFAULT_PROXIES,
            new EnvoyIntegration.Everything(new HostPort("127.0.0.1", 10000)), Upstream.plain(Optional.empty()),
            List.of(PEER, instance(9002), instance(9003), SUT));

    static final RoutedServices CATALOG = RoutedServices.of(List.of(SERVICE));

    private Examples() {}

    static Instance instance(int port) {
        return new Instance(new HostPort("127.0.0.1", port), 1);
    }

    static Lease lease(long epoch, long sequence, int ppm, Instant issuedAt) {
        return new Lease("demo", "run-" + epoch, epoch, sequence,
                new RequestedTraffic(SUT.address().toString(), ppm, Share.WHOLE_PPM, Redirect.SPLIT),
                new Validity(issuedAt, issuedAt.plus(TTL), TTL), false);
    }

    static Lease released(Lease lease) {
        return new Lease(lease.service(), lease.runId(), lease.epoch(), lease.sequence() + 1,
                new RequestedTraffic(lease.sut(), 0, lease.traffic().maxSharePpm(), lease.redirect()), lease.validity(),
                true);
    }
}
