// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.PlanRejectedException;
import io.redliner.cli.client.TerminalSafeText;
import io.redliner.cli.slo.ImportedRules;
import io.redliner.cli.slo.OpenSloReader;
import io.redliner.cli.slo.PrometheusRulesReader;
import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.core.run.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code redliner import}: the SLA of a plan from the objectives that a team has. */
@Command(name = "import", mixinStandardHelpOptions = true, description = {
    "Prints the sla of a plan from objectives in OpenSLO v1 or in Prometheus' alerting rules, whose queries are in PromQL.",
    "What RedLiner cannot judge is named with its line and the reason, and makes no rule. Asks no controller."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:each objective is a rule", "1:the file could not be read", "2:the command line cannot be understood",
        "98:some objectives, or all, are no rule", "104:the file is of another kind"})
final class ImportCommand implements Callable<Integer> {

    /** The formats that can be read. */
    enum Format {
        /** OpenSLO v1. */
        OPENSLO,
        /** A file of rules of a Prometheus server. */
        PROMETHEUS_RULES;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Parameters(index = "0", paramLabel = "FORMAT", description = "${COMPLETION-CANDIDATES}.")
    private @Nullable Format format;

    @Parameters(index = "1", paramLabel = "FILE", description = "A file in that format, also a pipe; - is the standard input.")
    private String file = "";

    @Option(names = "--service", paramLabel = "NAME", description = "Take the objectives of this service alone, as spec.service of OpenSLO or a label such as job names it; needed when the file has several.")
    private String service = "";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        try {
            String text = PlanFileParameter.read(file, String.valueOf(format), spec.commandLine());
            ImportedRules imported = ofService(format == Format.OPENSLO
                    ? OpenSloReader.read(text)
                    : PrometheusRulesReader.read(text));
            PrintWriter out = spec.commandLine().getOut();
            imported.sla().forEach(line -> out.println(TerminalSafeText.of(line)));
            out.flush();
            imported.notJudged().forEach(left -> err.println(TerminalSafeText.of(file + ":" + left.line() + ": "
                    + left.name() + " " + left.reason())));
            return imported.notJudged().isEmpty() ? 0 : ExitCode.INCONCLUSIVE.code();
        } catch (InvalidDocumentException invalid) {
            invalid.problems().forEach(problem -> err.println(TerminalSafeText.of(file + ":" + problem.line() + ": "
                    + problem.message())));
        } catch (PlanRejectedException rejected) {
            rejected.mistakes().forEach(mistake -> err.println(TerminalSafeText.of(file + mistake)));
        }
        return ExitCode.BAD_PLAN.code();
    }

    private ImportedRules ofService(ImportedRules imported) {
        Set<String> services = imported.services();
        if (service.isEmpty() && services.size() > 1) {
            throw new ParameterException(spec.commandLine(), file + " has objectives of several services: "
                    + String.join(", ", services) + ". Choose one by --service NAME");
        }
        ImportedRules chosen = service.isEmpty() ? imported : imported.of(service);
        if (!service.isEmpty() && chosen.rules().isEmpty() && chosen.notJudged().isEmpty()) {
            throw new ParameterException(spec.commandLine(), file + " has no objective of the service " + service
                    + "; it has those of " + String.join(", ", services));
        }
        return chosen;
    }
}
