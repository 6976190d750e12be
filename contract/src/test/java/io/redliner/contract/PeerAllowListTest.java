// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.KeyStore;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The tests of the ports show with real certificates which clients it accepts. */
class PeerAllowListTest {

    private static X509ExtendedTrustManager authorities;

    @BeforeAll
    static void trustWhatJavaTrusts() throws Exception {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        authorities = Arrays.stream(factory.getTrustManagers()).map(X509ExtendedTrustManager.class::cast).findFirst()
                .orElseThrow();
    }

    @Test
    void without_a_list_the_authorities_decide_alone() {
        assertThat(PeerAllowList.of(authorities, List.of())).isSameAs(authorities);
    }

    @Test
    void what_can_be_no_name_is_refused() {
        for (String wrong : List.of("", " ", "*.example.com", "spiffe://*/ns/edge")) {
            assertThatThrownBy(() -> PeerAllowList.of(authorities, List.of("proxy", wrong)))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("'" + wrong + "'");
        }
    }
}
