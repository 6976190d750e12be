// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;

/**
 * Looks hosts up for the connection that is about to be made, and refuses addresses that {@link EgressPolicy} objects to. What
 * is checked is what is connected to: a name that says something else a moment later gains nothing.
 */
final class EgressDnsResolver implements DnsResolver {

    private final DnsResolver lookUp;

    private final boolean privateAllowed;

    EgressDnsResolver(boolean privateAllowed) {
        this(SystemDefaultDnsResolver.INSTANCE, privateAllowed);
    }

    EgressDnsResolver(DnsResolver lookUp, boolean privateAllowed) {
        this.lookUp = lookUp;
        this.privateAllowed = privateAllowed;
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        InetAddress[] addresses = lookUp.resolve(host);
        for (InetAddress address : addresses) {
            Optional<String> objection = EgressPolicy.objection(address, privateAllowed);
            if (objection.isPresent()) {
                throw new AddressRefusedException("host " + host + " has an address that nothing is sent to ("
                        + objection.get() + ")");
            }
        }
        return addresses;
    }

    @Override
    public String resolveCanonicalHostname(String host) throws UnknownHostException {
        return lookUp.resolveCanonicalHostname(host);
    }
}
