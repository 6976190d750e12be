// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.core.run.LimitFigure;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.plan.yaml.PlanYamlWriter;
import io.redliner.controller.service.persistence.PlanRepository;
import io.redliner.controller.service.persistence.StoredPlan;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.scheduling.PlanFolderPoller;
import io.redliner.controller.service.scheduling.PlanFolderStatus;
import io.redliner.controller.service.security.Permissions;
import io.redliner.controller.service.security.PlanSecretMasker;
import io.redliner.controller.service.security.RequestBodyReader;
import java.io.InputStream;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Plans: declared capacity tests, as YAML or JSON. */
@RestController
@RequestMapping("/api/v1")
class PlanResource {

    private static final String SERVICE = "/spec/service";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final PlanRepository plans;

    private final PlanValidationService planValidation;

    private final PlanWriter writer;

    private final PlanYamlWriter yaml = new PlanYamlWriter();

    private final PlanFolderPoller folder;

    private final InstantSource clock;

    private final Permissions permissions;

    private final boolean objectsFollowed;

    PlanResource(PlanRepository plans, PlanValidationService planValidation, PlanWriter writer, PlanFolderPoller folder,
            Permissions permissions, InstantSource clock,
            @Value("${redliner.controller.kubernetes.enabled:false}") boolean objectsFollowed) {
        this.plans = plans;
        this.planValidation = planValidation;
        this.writer = writer;
        this.folder = folder;
        this.clock = clock;
        this.permissions = permissions;
        this.objectsFollowed = objectsFollowed;
    }

    /** A stored plan; {@code plan} is its canonical content, without secrets for those who may not change it. */
    record PlanView(String name, int version, String hash, Instant createdAt, Instant updatedAt, String source,
            @Nullable String file, JsonNode plan) {

        static PlanView of(StoredPlan stored, boolean secretsToo) {
            JsonNode content = JSON.readTree(stored.content());
            return new PlanView(stored.name(), stored.version(), stored.hash(), stored.createdAt(), stored.updatedAt(),
                    stored.source().wireName(), stored.file(), secretsToo ? content : PlanSecretMasker.masked(content));
        }

        private String tag() {
            return PlanTag.of(version, hash);
        }
    }

    /** The answer to a validation, with what the plan's author should know; a plan with mistakes is answered with a problem. */
    record ValidView(boolean valid, String hash, List<String> notes, List<LimitFigure> limits,
            Map<String, Object> plan) {}

    /** One page of versions, newest first; {@code nextBelow} is the {@code below} of the next page. */
    record VersionPage(List<PlanRepository.Version> items, @Nullable Integer nextBelow) {}

    @GetMapping("/plans")
    Page<PlanView> list(@RequestParam(defaultValue = "50") int limit,
            @RequestParam(required = false) @Nullable String pageToken) {
        Predicate<String> operable = permissions.operable();
        return Page.of(plans.list(PageToken.readName(pageToken), RequestParameters.limit(limit) + 1), limit,
                plan -> view(plan, operable), plan -> PageToken.write(plan.name()));
    }

    /** Returns the status of the watched folder. */
    @GetMapping("/plans:folder")
    PlanFolderStatus folder() {
        return folder.status();
    }

    @GetMapping("/plans/{name}/versions")
    VersionPage versions(@PathVariable String name, @RequestParam(defaultValue = "50") int limit,
            @RequestParam(required = false) @Nullable Integer below) {
        find(name);
        List<PlanRepository.Version> found = plans.versions(name, below == null ? Integer.MAX_VALUE : below,
                RequestParameters.limit(limit) + 1);
        List<PlanRepository.Version> page = found.subList(0, Math.min(limit, found.size()));
        return new VersionPage(page, found.size() > limit ? page.getLast().version() : null);
    }

    @PostMapping("/plans")
    ResponseEntity<PlanView> create(InputStream body) throws InvalidDocumentException {
        String text = RequestBodyReader.read(body);
        Plan plan = planValidation.read(text);
        permissions.requireOperator(plan.service());
        if (!plans.create(plan.name(), content(plan, text), clock.instant())) {
            throw new ProblemException(ProblemType.PLAN_EXISTS,
                    "plan " + plan.name() + " exists; use PUT to give it a new version")
                    .with("field", "$.metadata.name");
        }
        PlanView stored = find(plan.name());
        return ResponseEntity.created(URI.create("/api/v1/plans/" + plan.name())).eTag(stored.tag()).body(stored);
    }

    @PostMapping("/plans:validate")
    ValidView validate(InputStream body) throws InvalidDocumentException {
        Plan plan = planValidation.read(RequestBodyReader.read(body));
        planValidation.requireFeasible(plan);
        String hash = writer.hash(plan);
        return new ValidView(true, hash,
                Stream.concat(outdated(plan.name(), hash).stream(), planValidation.notes(plan).stream()).toList(),
                planValidation.figures(plan), writer.content(plan));
    }

    /** Returns a note when a text is an older version of a plan; what was never saved is not older. */
    private Optional<String> outdated(String name, String hash) {
        return plans.find(name).filter(current -> !current.hash().equals(hash))
                .flatMap(current -> plans.versionOf(name, hash).map(version -> "this text is version " + version
                        + " of plan " + name + ", and version " + current.version() + " of "
                        + current.updatedAt().truncatedTo(ChronoUnit.SECONDS)
                        + " is newer: run that one, or save this text again if it is the right one"));
    }

    @GetMapping("/plans/{name}")
    ResponseEntity<PlanView> get(@PathVariable String name,
            @RequestParam(required = false) @Nullable Integer version) {
        PlanView found = find(name, version);
        return ResponseEntity.ok().eTag(found.tag()).body(found);
    }

    private PlanView find(String name, @Nullable Integer version) {
        if (version == null) {
            return find(name);
        }
        return view(plans.find(name, version)
                .orElseThrow(() -> new ProblemException(ProblemType.UNKNOWN_PLAN,
                        "there is no version " + version + " of plan " + name)),
                permissions.operable());
    }

    /**
     * Returns the plan as YAML, with every default written out.
     *
     * @param written true for the text as its author wrote it, with comments, where that is known and the caller may change it
     */
    @GetMapping(path = "/plans/{name}", produces = MediaType.APPLICATION_YAML_VALUE)
    ResponseEntity<String> yaml(@PathVariable String name,
            @RequestParam(required = false) @Nullable Integer version,
            @RequestParam(defaultValue = "false") boolean written) {
        PlanView found = find(name, version);
        Optional<String> text = written && permissions.operable().test(found.plan().at(SERVICE).asString())
                ? plans.written(name, found.version())
                : Optional.empty();
        return ResponseEntity.ok().eTag(found.tag()).body(text.orElseGet(() -> yaml.write(found.plan())));
    }

    /** Returns a plan's content with its text, unless the text is JSON, which has no comments. */
    private PlanRepository.Content content(Plan plan, String text) {
        return new PlanRepository.Content(writer.write(plan), writer.hash(plan),
                text.stripLeading().startsWith("{") ? null : text);
    }

    @PutMapping("/plans/{name}")
    ResponseEntity<PlanView> replace(@PathVariable String name, InputStream body,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch)
            throws InvalidDocumentException {
        String text = RequestBodyReader.read(body);
        Plan plan = planValidation.read(text);
        if (!plan.name().equals(name)) {
            throw new ProblemException(ProblemType.NAME_DIFFERS,
                    "the plan is named " + plan.name() + ", the address says " + name).with("field", "$.metadata.name");
        }
        permissions.requireOperator(plan.service());
        plans.find(name).ifPresent(before -> permissions.requireOperator(serviceOf(before)));
        store(plan.name(), content(plan, text), ifMatch);
        PlanView stored = find(name);
        return ResponseEntity.ok().eTag(stored.tag()).body(stored);
    }

    private void store(String name, PlanRepository.Content content, @Nullable String ifMatch) {
        Instant now = clock.instant();
        if (ifMatch != null) {
            plans.replace(name, content, now, PlanTag.matches(ifMatch));
        } else if (!plans.replace(name, content, now) && !plans.create(name, content, now)) {
            plans.replace(name, content, now);
        }
    }

    @DeleteMapping("/plans/{name}")
    ResponseEntity<Void> delete(@PathVariable String name,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch) {
        Optional<StoredPlan> before = plans.find(name);
        before.ifPresent(stored -> permissions.requireOperator(serviceOf(stored)));
        // Nobody else removes the plan of an object that is not followed any more.
        StoredPlan.Source source = before.map(StoredPlan::source)
                .filter(kept -> kept == StoredPlan.Source.KUBERNETES && !objectsFollowed)
                .orElse(StoredPlan.Source.API);
        if (ifMatch != null) {
            plans.delete(name, PlanTag.matches(ifMatch), source);
        } else if (!plans.delete(name, source)) {
            throw unknown(name);
        }
        return ResponseEntity.noContent().build();
    }

    private PlanView find(String name) {
        return view(plans.find(name).orElseThrow(() -> unknown(name)), permissions.operable());
    }

    private static PlanView view(StoredPlan stored, Predicate<String> operable) {
        return PlanView.of(stored, operable.test(serviceOf(stored)));
    }

    private static String serviceOf(StoredPlan stored) {
        return JSON.readTree(stored.content()).at(SERVICE).asString();
    }

    private static ProblemException unknown(String name) {
        return new ProblemException(ProblemType.UNKNOWN_PLAN, "there is no plan " + name);
    }

    /** The ETag of a plan: its version, and the beginning of its hash, since a plan that was deleted begins with 1 again. */
    static final class PlanTag {

        private static final int HASH_DIGITS = 16;

        private static final String ANY = "*";

        private static final Pattern TAG = Pattern.compile("(?:W/)?\"[\\x21\\x23-\\x7e\\x80-\\xff]*\"");

        private static final Pattern TAGS = Pattern.compile(TAG + "(?:[ \t]*,[ \t]*" + TAG + ")*");

        private PlanTag() {}

        static String of(int version, String hash) {
            return "\"" + version + "-" + hash.substring(0, Math.min(HASH_DIGITS, hash.length())) + "\"";
        }

        /**
         * Returns a predicate that is true for the plans that an If-Match header names (RFC 9110). A weak tag names none.
         *
         * @throws ProblemException when it is no such header
         */
        static Predicate<StoredPlan> matches(String ifMatch) {
            String tags = ifMatch.strip();
            if (tags.equals(ANY)) {
                return plan -> true;
            }
            if (!TAGS.matcher(tags).matches()) {
                throw new ProblemException(ProblemType.INVALID_PARAMETER,
                        "If-Match is neither * nor the ETag of a plan, in its quotation marks")
                        .with("field", HttpHeaders.IF_MATCH);
            }
            List<String> named = TAG.matcher(tags).results().map(MatchResult::group).toList();
            return plan -> named.contains(of(plan.version(), plan.hash()));
        }
    }
}
