// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.controller.scene.Scene;
import org.junit.jupiter.api.Test;

class CapturedOutputTest {

    private final Scene scene = Scene.shared();

    /** Another test logs an error beside it, and would be taken for the server's. */
    @Test
    void the_output_of_a_server_has_what_both_of_its_ports_print_and_nothing_else() {
        try (CapturedOutput output = CapturedOutput.ofServer(scene.context());
                CapturedOutput all = new CapturedOutput()) {
            System.out.println("ERROR of another test");
            CapturedOutput.protocols(scene.context()).forEach(protocol -> protocol.getExecutor()
                    .execute(() -> System.out.println("printed at port " + protocol.getLocalPort())));

            for (String port : new String[]{"local.server.port", "local.emergency.port"}) {
                String line = "printed at port " + scene.context().getEnvironment().getProperty(port);
                await().untilAsserted(() -> assertThat(output.text()).contains(line));
            }
            assertThat(output.text()).doesNotContain("another test");
            assertThat(all.text()).contains("another test", "printed at port");
        }
    }
}
