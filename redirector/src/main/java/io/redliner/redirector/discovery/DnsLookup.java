// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import com.google.common.net.InetAddresses;
import io.redliner.redirector.discovery.EndpointSource.Dns;
import io.redliner.redirector.routing.HostPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.ResolverConfig;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;
import org.xbill.DNS.lookup.LookupFailedException;
import org.xbill.DNS.lookup.LookupResult;
import org.xbill.DNS.lookup.LookupSession;
import org.xbill.DNS.lookup.NoSuchDomainException;
import org.xbill.DNS.lookup.NoSuchRRSetException;
import org.xbill.DNS.lookup.ServerFailedException;

/** Looks up all addresses of one name in the DNS, without a cache. */
final class DnsLookup {

    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private static final int ATTEMPTS = 2;

    private final Dns dns;

    private final Name name;

    private final LookupSession session;

    DnsLookup(Dns dns, Executor executor) {
        this.dns = dns;
        this.name = absolute(dns.name());
        // Without a cache, hosts file and search path: the servers' answer, and nothing else.
        this.session = LookupSession.builder().resolver(resolver(dns)).executor(executor).build();
    }

    private static Name absolute(String name) {
        try {
            return Name.fromString(name, Name.root);
        } catch (TextParseException unreadable) {
            throw new IllegalArgumentException("'" + name + "' is not a DNS name", unreadable);
        }
    }

    private static Resolver resolver(Dns dns) {
        List<InetSocketAddress> servers = dns.server()
                .map(server -> List.of(new InetSocketAddress(InetAddresses.forString(server.host()), server.port())))
                .orElseGet(() -> ResolverConfig.getCurrentConfig().servers());
        ExtendedResolver resolver = new ExtendedResolver(servers.stream().<Resolver>map(SimpleResolver::new).toList());
        resolver.setRetries(ATTEMPTS);
        resolver.setTimeout(TIMEOUT.multipliedBy((long) ATTEMPTS * servers.size()));
        // The timeout above is for all attempts together; each of them would have five seconds by default.
        for (Resolver one : resolver.getResolvers()) {
            one.setTimeout(TIMEOUT);
        }
        return resolver;
    }

    /** Returns the addresses of both families, or a failure: with one family alone, instances would seem to be gone. */
    CompletionStage<Set<HostPort>> resolve() {
        return addresses(Type.A).thenCombine(addresses(Type.AAAA), (four, six) -> {
            Set<HostPort> both = new LinkedHashSet<>(four);
            both.addAll(six);
            return both;
        });
    }

    private CompletionStage<List<HostPort>> addresses(int type) {
        return session.lookupAsync(name, type).thenApply(LookupResult::getRecords).exceptionally(failure -> {
            if (cause(failure) instanceof NoSuchRRSetException) {
                return List.of();
            }
            throw new CompletionException(cause(failure));
        }).thenApply(records -> records.stream().map(this::address).toList());
    }

    private HostPort address(Record record) {
        InetAddress found = switch (record) {
            case ARecord four -> four.getAddress();
            case AAAARecord six -> six.getAddress();
            default -> throw new LookupFailedException("an address record was asked for, not " + record);
        };
        // In the short form, in which proxies report IPv6 addresses.
        return new HostPort(InetAddresses.toAddrString(found), dns.port());
    }

    /** Returns a reason in the same words for the same cause. Messages of the resolver differ by the id of the query. */
    String reason(Throwable failure) {
        String of = " for " + dns.name() + dns.server().map(server -> " at " + server).orElse("");
        return switch (cause(failure)) {
            case NoSuchDomainException missing -> "the DNS knows no such name (NXDOMAIN)" + of;
            case ServerFailedException failed -> "the DNS server failed (SERVFAIL)" + of;
            case LookupFailedException refused -> "the DNS has no usable answer" + of + ": " + refused.getMessage();
            default -> "no answer from the DNS" + of;
        };
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null
                ? cause(failure.getCause())
                : failure;
    }
}
