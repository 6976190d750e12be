// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.controller.service.notifications.NotificationHttpClient.AddressRefusedException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.apache.hc.client5.http.DnsResolver;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.api.Test;

class EgressPolicyTest {

    private static InetAddress address(String literal) throws UnknownHostException {
        return InetAddress.getAllByName(literal)[0];
    }

    @ParameterizedTest
    @ValueSource(strings = {"169.254.169.254", "fe80::1", "fd00:ec2::254", "100.100.100.200", "192.0.0.192", "0.0.0.0",
        "::", "0.1.2.3", "224.0.0.1", "ff02::1", "255.255.255.255", "240.0.0.1", "::ffff:169.254.169.254",
        "64:ff9b::169.254.169.254", "2002:a9fe:a9fe::1", "::169.254.169.254"})
    void some_addresses_never_get_anything(String address) throws UnknownHostException {
        assertThat(EgressPolicy.objection(address(address), true)).isPresent();
        assertThat(EgressPolicy.objection(address(address), false)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.9.9.9", "::1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1",
        "100.64.0.1", "198.18.0.1", "fc00::1", "fd12::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
        "64:ff9b::7f00:1", "2002:7f00:1::", "fec0::1"})
    void inner_addresses_need_the_setting(String address) throws UnknownHostException {
        assertThat(EgressPolicy.objection(address(address), true)).isEmpty();
        assertThat(EgressPolicy.objection(address(address), false)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.8.8.8", "172.32.0.1", "100.128.0.1", "192.0.1.1", "198.20.0.1", "2600::1", "2a00::1",
        "64:ff9b::8.8.8.8", "2002:808:808::1"})
    void the_world_outside_is_fine(String address) throws UnknownHostException {
        assertThat(EgressPolicy.objection(address(address), false)).isEmpty();
    }

    @Test
    void one_bad_address_of_a_host_is_enough() {
        DnsResolver mixed = new DnsResolver() {

            @Override
            public InetAddress[] resolve(String host) throws UnknownHostException {
                return new InetAddress[]{address("8.8.8.8"), address("127.0.0.1")};
            }

            @Override
            public String resolveCanonicalHostname(String host) {
                return host;
            }
        };

        assertThatThrownBy(() -> new NotificationHttpClient.EgressDnsResolver(mixed, false).resolve("example.com"))
                .isInstanceOf(AddressRefusedException.class)
                .hasMessageContaining("example.com")
                .hasMessageContaining("loopback");
    }
}
