// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.document.DocumentProblem;
import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.redirect.Cohort;
import io.redliner.contract.redirect.HeaderMatch;
import io.redliner.contract.redirect.PathMatch;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.RoutingAttribute;
import io.redliner.controller.plan.Plan;
import io.redliner.sla.RuleCompiler;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedirectReaderTest {

    private static final String PLAN = """
            apiVersion: redliner.io/v1
            kind: CapacityTest
            metadata: {name: weekly}
            spec:
              service: shop
              sut: {instance: "10.0.3.17:8080"}
              redirect: %s
              sla:
                - {name: errors, expr: "error_rate <= 0.001"}
            """;

    private final PlanReader reader = new PlanReader(new RuleCompiler());

    private final PlanWriter writer = new PlanWriter();

    private Redirect read(String redirect) throws InvalidDocumentException {
        Plan plan = reader.read(PLAN.formatted(redirect));
        assertThat(reader.read(writer.write(plan))).as("is read back as it was written").isEqualTo(plan);
        return plan.redirect();
    }

    private List<DocumentProblem> problems(String redirect) {
        try {
            reader.read(PLAN.formatted(redirect));
        } catch (InvalidDocumentException invalid) {
            return invalid.problems();
        }
        throw new AssertionError("is valid");
    }

    private DocumentProblem problem(String redirect) {
        List<DocumentProblem> problems = problems(redirect);
        assertThat(problems).hasSize(1);
        return problems.getFirst();
    }

    @Test
    void a_plan_that_only_splits_has_the_bytes_that_it_always_had() throws InvalidDocumentException {
        Plan plan = reader.read(PLAN.formatted("{mode: split}"));

        assertThat(plan.redirect()).isEqualTo(Redirect.SPLIT);
        assertThat(writer.write(plan)).isEqualTo("{\"apiVersion\":\"redliner.io/v1\",\"kind\":\"CapacityTest\","
                + "\"metadata\":{\"name\":\"weekly\",\"labels\":{}},\"spec\":{\"service\":\"shop\","
                + "\"sut\":{\"instance\":\"10.0.3.17:8080\"},\"profile\":\"capacity\",\"redirect\":{\"mode\":\"split\"},"
                + "\"sla\":[{\"name\":\"errors\",\"expr\":\"error_rate <= 0.001\",\"informational\":false}],\"guards\":[],"
                + "\"limits\":{\"maxShare\":\"50%\",\"maxRaise\":\"2x\",\"maxDuration\":\"30m\","
                + "\"harmBudget\":\"0.1%\",\"window\":\"1s\"}}}");
    }

    @Test
    void reads_each_mode() throws InvalidDocumentException {
        assertThat(read("{mode: endpoint-weight}"))
                .isEqualTo(new Redirect(RedirectMode.ENDPOINT_WEIGHT, null, null, List.of()));
        assertThat(read("{mode: modulo, attribute: {header: X-User-Id}, modulus: 100}")).isEqualTo(new Redirect(
                RedirectMode.MODULO, new RoutingAttribute(RoutingAttribute.Source.HEADER, "x-user-id"), 100,
                List.of()));
        assertThat(read("{mode: modulo, attribute: {header: x-user-id}}").modulus()).isEqualTo(10_000);
        assertThat(read("{mode: hash, attribute: {cookie: uid}}").attribute())
                .isEqualTo(new RoutingAttribute(RoutingAttribute.Source.COOKIE, "uid"));
        assertThat(read("{mode: hash, attribute: {query: Uid}}").attribute())
                .isEqualTo(new RoutingAttribute(RoutingAttribute.Source.QUERY, "Uid"));
    }

    @Test
    void reads_cohorts() throws InvalidDocumentException {
        assertThat(read("""
                {cohorts: [
                    {name: germans, headers: [{name: X-Country, exact: "de"}], pathPrefix: /shop, methods: [POST, GET]},
                    {name: new, headers: [{name: x-country, exact: "fr"}, {name: since, from: 20250101, to: 20260101}]},
                    {name: rpc, headers: [{name: x-country, exact: "it"}], grpcMethod: shop.Cart/Add}]}"""))
                .isEqualTo(new Redirect(RedirectMode.SPLIT, null, null, List.of(
                        new Cohort("germans", List.of(HeaderMatch.exactly("x-country", "de")),
                                new PathMatch(PathMatch.Kind.PREFIX, "/shop"), List.of("GET", "POST")),
                        new Cohort("new", List.of(HeaderMatch.exactly("x-country", "fr"),
                                HeaderMatch.between("since", 20250101, 20260101)), null, List.of()),
                        new Cohort("rpc", List.of(HeaderMatch.exactly("x-country", "it")),
                                new PathMatch(PathMatch.Kind.GRPC_METHOD, "shop.Cart/Add"), List.of()))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {mode: split, attribute: {header: a}}                  | attribute   | only for the modes modulo and hash
            {mode: endpoint-weight, attribute: {header: a}}        | attribute   | only for the modes modulo and hash
            {mode: hash}                                           | attribute   | must name a header, cookie or query
            {mode: modulo}                                         | attribute   | must name a header
            {mode: modulo, attribute: {cookie: a}}                 | attribute   | must name a header
            {mode: modulo, attribute: {header: a}, modulus: 99}    | modulus     | between 100 and 1000000
            {mode: modulo, attribute: {header: a}, modulus: 1000001} | modulus   | between 100 and 1000000
            {mode: modulo, attribute: {header: a}, modulus: many}  | modulus     | no whole number
            {mode: hash, attribute: {header: a}, modulus: 100}     | modulus     | only for mode modulo
            {mode: hash, attribute: {header: a, cookie: b}}        | attribute   | must name one
            {mode: hash, attribute: {}}                            | attribute   | must name one
            {mode: hash, attribute: {header: "a b"}}               | attribute.header | no name of a header
            {mode: hash, attribute: {header: a, body: b}}          | attribute.body | unknown
            {mode: split, cohort: []}                              | cohort      | unknown
            {cohorts: [{name: a}]}                                 | cohorts[0]  | restricts nothing
            {cohorts: [{name: outside, path: /a}]}                 | cohorts[0].name | no name of a cohort
            {cohorts: [{path: /a}]}                                | cohorts[0].name | required
            {cohorts: [{name: a, path: /a, pathPrefix: /a}]}       | cohorts[0]  | one of path, pathPrefix and grpcMethod
            {cohorts: [{name: a, path: a}]}                        | cohorts[0].path | no path
            {cohorts: [{name: a, path: "/a?b"}]}                   | cohorts[0].path | no path
            {cohorts: [{name: a, grpcMethod: Add}]}                | cohorts[0].grpcMethod | no gRPC method
            {cohorts: [{name: a, methods: [get]}]}                 | cohorts[0].methods[0] | no HTTP method
            {cohorts: [{name: a, headers: [{name: b}]}]}           | cohorts[0].headers[0] | either exact, or from and to
            {cohorts: [{name: a, headers: [{name: b, exact: c, from: 1, to: 2}]}]} | cohorts[0].headers[0] | either exact
            {cohorts: [{name: a, headers: [{name: b, from: 1}]}]}  | cohorts[0].headers[0] | either exact
            {cohorts: [{name: a, headers: [{name: b, from: 2, to: 2}]}]} | cohorts[0].headers[0] | 2 is not below 2
            {cohorts: [{name: a, headers: [{name: b, from: x, to: 2}]}]} | cohorts[0].headers[0].from | no whole number
            {cohorts: [{name: a, headers: [{name: b, regex: c}]}]} | cohorts[0].headers[0].regex | unknown
            {cohorts: [{name: a, path: /a}, {name: a, path: /b}]}  | cohorts[1]  | second cohort is named 'a'
            """)
    void a_mistake_is_reported_where_it_stands(String redirect, String path, String message) {
        List<DocumentProblem> problems = problems(redirect);

        assertThat(problems).anySatisfy(problem -> {
            assertThat(problem.path()).isEqualTo("$.spec.redirect." + path);
            assertThat(problem.message()).contains(message);
            assertThat(problem.line()).isEqualTo(7);
            assertThat(problem.column()).isGreaterThan(3);
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            path: /a                                   | path: /b
            path: /b                                   | pathPrefix: /a
            pathPrefix: /a                             | pathPrefix: /b
            grpcMethod: a.A/b                          | grpcMethod: a.A/c
            methods: [GET, HEAD]                       | methods: [POST]
            headers: [{name: h, exact: x}]             | headers: [{name: H, exact: y}]
            headers: [{name: h, from: 1, to: 9}]       | headers: [{name: h, from: 9, to: 10}]
            'headers: [{name: h, exact: x}], path: /a' | headers: [{name: h, exact: y}]
            """)
    void cohorts_that_one_thing_tells_apart_stand_beside_each_other(String one, String other)
            throws InvalidDocumentException {
        assertThat(read(two(one, other)).cohorts()).hasSize(2);
        assertThat(read(two(other, one)).cohorts()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            path: /a                                   | path: /a
            path: /a/b                                 | pathPrefix: /a
            pathPrefix: /a                             | pathPrefix: /a/b
            grpcMethod: a.A/b                          | grpcMethod: a.A/b
            grpcMethod: a.A/b                          | path: /c
            methods: [GET, POST]                       | methods: [POST]
            methods: [GET]                             | path: /a
            headers: [{name: h, exact: x}]             | headers: [{name: h, exact: x}]
            headers: [{name: h, exact: x}]             | headers: [{name: i, exact: y}]
            headers: [{name: h, exact: x}]             | headers: [{name: h, from: 1, to: 9}]
            headers: [{name: h, from: 1, to: 9}]       | headers: [{name: h, from: 8, to: 10}]
            'headers: [{name: h, exact: x}], path: /a' | headers: [{name: h, exact: x}]
            """)
    void cohorts_that_may_match_the_same_request_are_refused(String one, String other) {
        DocumentProblem problem = problem(two(one, other));

        assertThat(problem.path()).isEqualTo("$.spec.redirect.cohorts[1]");
        assertThat(problem.message()).contains("cohort 'b' may match the same request as cohort 'a'");
        assertThat(problem(two(other, one)).path()).isEqualTo("$.spec.redirect.cohorts[1]");
    }

    private static String two(String one, String other) {
        return "{cohorts: [{name: a, " + one + "}, {name: b, " + other + "}]}";
    }

    @Test
    void what_is_too_large_for_a_lease_is_refused() {
        String headers = IntStream.range(0, 65).mapToObj(i -> "{name: x-" + i + ", exact: a}")
                .collect(Collectors.joining(", "));
        assertThat(problem("{cohorts: [{name: some, headers: [" + headers + "]}]}").message())
                .isEqualTo("is too much; a cohort may have 64 headers");
        assertThat(problem("{cohorts: [{name: some, methods: [" + "GET, ".repeat(64) + "PUT]}]}").message())
                .isEqualTo("is too much; a cohort may have 64 methods");
        String text = "x".repeat(990);
        String cohorts = IntStream.range(0, 50)
                .mapToObj(i -> "{name: c" + i + ", path: /" + i + ", headers: [{name: a, exact: "
                        + text + "}, {name: b, exact: " + text + "}]}")
                .collect(Collectors.joining(", "));
        assertThat(problem("{cohorts: [" + cohorts + "]}").message()).contains("are too long for a lease",
                "and may have 58982");
    }
}
