// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.address;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstanceAddressTest {

    @ParameterizedTest
    @CsvSource({
        "[0:0:0:0:0:0:0:1]:9301, [::1]:9301",
        "[::1]:9301,             [::1]:9301",
        "[2001:DB8:0:0:1:0:0:1]:80, [2001:db8::1:0:0:1]:80",
        "[::ffff:10.0.0.1]:80,   10.0.0.1:80",
        "10.0.0.1:80,            10.0.0.1:80",
        "Web-1.Example.com:8080, Web-1.Example.com:8080",
        "/run/web.sock,          /run/web.sock"})
    void one_instance_has_one_address(String written, String canonical) {
        assertThat(InstanceAddress.canonical(written)).isEqualTo(canonical);
    }
}
