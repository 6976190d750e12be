// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The requests that the documentation shows with curl are requests of the API. */
class DocumentedRequestsTest {

    private static final Pattern CURL = Pattern.compile("(?m)\\bcurl ([^\\n|]*)");

    private static final Pattern METHOD = Pattern.compile("-X ?([A-Z]+)");

    private static final Pattern PATH = Pattern.compile("(/api/v1/[^\\s\"'?]*)");

    /** A path of the OpenAPI documents. */
    private static final Pattern DECLARED = Pattern.compile("(?m)^  (/\\S*):$|^    (get|put|post|delete|patch):");

    @Test
    void every_request_is_one_of_the_api() {
        Set<String> api = api();
        assertThat(api).hasSizeGreaterThan(40);
        List<String> wrong = new ArrayList<>();
        int requests = 0;
        for (var file : Checkout.files(".md")) {
            for (var curl : CURL.matcher(Checkout.read(file).replace("\\\n", " ")).results().toList()) {
                String line = curl.group(1);
                var path = PATH.matcher(line);
                if (!path.find()) {
                    continue;
                }
                requests++;
                var method = METHOD.matcher(line);
                String request = (method.find() ? method.group(1) : isPost(line) ? "POST" : "GET") + " "
                        + path.group(1);
                if (api.stream().noneMatch(request::matches)) {
                    wrong.add(Checkout.name(file) + ": " + request);
                }
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(requests).isGreaterThan(5);
    }

    private static boolean isPost(String line) {
        return line.contains(" -d ") || line.contains("--data");
    }

    /** Each request as a regular expression of its method and path. */
    private static Set<String> api() {
        Set<String> api = new TreeSet<>();
        for (var file : Checkout.files(".yaml")) {
            if (!Checkout.name(file).contains("src/main/resources/controller-openapi")) {
                continue;
            }
            String path = "";
            for (var found : DECLARED.matcher(Checkout.read(file)).results().toList()) {
                if (found.group(1) != null) {
                    path = found.group(1).replaceAll("\\{[^}]+}", "[^/]+");
                } else {
                    api.add(found.group(2).toUpperCase(Locale.ROOT) + " " + path);
                }
            }
        }
        return api;
    }
}
