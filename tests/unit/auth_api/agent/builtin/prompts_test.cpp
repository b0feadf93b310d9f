// Which tools the built-in responder calls, for many wordings of each question.
#include "unit/auth_api/agent/builtin/prompts.hpp"

using namespace recruiting;
using test::check_calls;

namespace {

std::string const backend_search = R"(list_jobs {"q":"Backend Engineer","limit":30})";
std::string const backend_job = R"(get_job {"jobId":"0199c1a1c3d87f02b5a6e4d17c930f01"})";
std::string const backend_pipeline = R"(get_pipeline {"jobId":"0199c1a1c3d87f02b5a6e4d17c930f01"})";
std::string const find_anna = R"(search_candidates {"q":"Anna Schmidt","limit":20})";
std::string const tell_anna = "\nget_candidate {\"candidateId\":\"c1\"}\n" + backend_job;

} // namespace

TEST_CASE("prompts about candidates in numbers", "[responder]") {
    check_calls({
        {R"(search_candidates {"limit":200})",
         {"How many candidates do we have?", "how many candidates are there in total", "Number of applicants?",
          "HOW MANY CANDIDATES", "count the candidates", "how many candidates are in the system?",
          "What is the number of candidates in our organization?", "Wie viele Kandidaten gibt es?",
          "Combien de candidats avons-nous ?", "¿Cuántos candidatos hay?", "How many candidates applied today?"}},
        {backend_search + "\n" + backend_pipeline,
         {"How many candidates are in Backend Engineer?", "How many candidates does the Backend Engineer job have?",
          "How many candidates does Backend Engineer have?", "how many people applied for Backend Engineer",
          "how many applicants for \"Backend Engineer\"?", "How many Backend Engineer candidates are there?",
          "how many candidates are in the pipeline of Backend Engineer",
          "How many candidates are in the interview stage of Backend Engineer?",
          "how many candidates are in interview for Backend Engineer",
          "how many are in the 'Team interview' stage of Backend Engineer",
          "How many candidates were rejected for Backend Engineer?", "how many hires for Backend Engineer",
          "how many candidates in each stage of Backend Engineer",
          "number of candidates for the job Backend Engineer"}},
        {backend_pipeline,
         {"how many candidates are in the job 0199c1a1c3d87f02b5a6e4d17c930f01?",
          "how many candidates has 0199C1A1-C3D8-7F02-B5A6-E4D17C930F01"}},
        {"list_jobs {\"status\":\"open\",\"limit\":20}\n" + backend_pipeline +
             "\nget_pipeline {\"jobId\":\"0199c1a1c3d87f02b5a6e4d17c930f02\"}",
         {"How many candidates are in the interview stage?", "how many candidates are in interviews",
          "how many people are in the offer stage"}},
        {R"(search_candidates {"status":"rejected","limit":200})",
         {"How many rejected candidates do we have?", "how many candidates were rejected?"}},
        {R"(search_candidates {"status":"hired","limit":200})", {"How many did we hire?", "number of hires"}},
        {R"(search_candidates {"source":"linkedin","limit":200})", {"How many candidates came from LinkedIn?"}},
        {R"(list_jobs {"q":"Head of Sales","limit":30})",
         {"How many candidates are there for the position of Head of Sales?",
          "how many candidates are in the interview stage for Head of Sales?"}},
        {R"(list_jobs {"q":"Key Account Manager","limit":30})", {"how many candidates in Key Account Manager?"}},
        {R"(list_jobs {"q":"Recruiter","limit":30})", {"How many applicants does the Recruiter job have?"}},
        {"", {"how many hires did we make last month?", "how many candidates were rejected yesterday"}},
    });
}

TEST_CASE("prompts about who is in a pipeline", "[responder]") {
    check_calls({
        {backend_search + "\n" + backend_pipeline,
         {"Who is in the pipeline for Backend Engineer?", "Who's in the interview stage of Backend Engineer?",
          "Show me the pipeline of Backend Engineer", "List the candidates for Backend Engineer",
          "who applied to Backend Engineer?", "candidates in the Backend Engineer pipeline",
          "Which candidates are in the offer stage of \"Backend Engineer\"?", "who is in Backend Engineer?",
          "Give me the names of everyone in the screening stage of Backend Engineer",
          "who got an offer for Backend Engineer?", "are there any candidates for Backend Engineer?",
          "Do we have candidates for Backend Engineer?", "Please show the Backend Engineer candidates, thanks"}},
        {backend_search +
             "\nsearch_candidates {\"jobId\":\"0199c1a1c3d87f02b5a6e4d17c930f01\",\"status\":\"hired\",\"limit\":20}",
         {"who was hired for Backend Engineer", "list the hired candidates of Backend Engineer"}},
        {R"(search_candidates {"status":"rejected","limit":20})",
         {"list rejected candidates", "who was rejected? list candidates"}},
        {R"(search_candidates {"limit":20})",
         {"candidates", "list candidates", "show me the latest candidates", "new candidates this week",
          "which candidates applied yesterday"}},
        {R"(search_candidates {"source":"linkedin","limit":20})",
         {"which candidates come from LinkedIn?", "candidates from LinkedIn"}},
        {"", {"pipeline", "Show the pipeline", "who is in the interview stage?"}},
    });
}

TEST_CASE("prompts about one candidate", "[responder]") {
    check_calls({
        {find_anna + tell_anna,
         {"Find Anna Schmidt", "find the candidate Anna Schmidt", "Who is Anna Schmidt?", "tell me about Anna Schmidt",
          "What stage is Anna Schmidt in?", "Where is Anna Schmidt?", "has Anna Schmidt applied?",
          "Anna Schmidt's application", "which job did Anna Schmidt apply for?", "status of Anna Schmidt",
          "search for candidates named Anna Schmidt", "Do we have a candidate called \"Anna Schmidt\"?",
          "look up Anna Schmidt please", "show Anna Schmidt"}},
        {R"(search_candidates {"email":"anna@example.com","limit":20})" + tell_anna,
         {"anna@example.com", "find anna@example.com", "who is anna@example.com?",
          "candidate with e-mail anna@example.com"}},
        {"get_candidate {\"candidateId\":\"0199c1a1c3d87f02b5a6e4d17c930faa\"}\n" + backend_job,
         {"show the candidate 0199c1a1c3d87f02b5a6e4d17c930faa"}},
        {R"(search_candidates {"q":"O'Brien","limit":20})" + tell_anna, {"is there an applicant named O'Brien?"}},
        {R"(search_candidates {"q":"van den Berg","limit":20})" + tell_anna, {"find the candidate van den Berg"}},
    });
}

TEST_CASE("prompts about one job", "[responder]") {
    check_calls({
        {backend_search + "\n" + backend_job,
         {"What does the Backend Engineer job say?", "What does the job \"Backend Engineer\" say?",
          "describe the job Backend Engineer", "Tell me about the Backend Engineer position",
          "job description of Backend Engineer", "what's the salary for Backend Engineer?",
          "How much does Backend Engineer pay?", "Where is the Backend Engineer job located?",
          "Is the Backend Engineer job open?", "Is Backend Engineer still open?", "show job Backend Engineer",
          "requirements of the Backend Engineer job", "read me the description of “Backend Engineer”",
          "summarize the Backend Engineer role", "what about the Backend Engineer job?",
          "what is the status of the Backend Engineer position?", "which stages does the job Backend Engineer have?"}},
        {R"(search_candidates {"q":"Backend Engineer","limit":20})" + ("\n" + backend_search) + "\n" + backend_job,
         {"tell me about Backend Engineer"}},
        {backend_job, {"describe the job 0199c1a1c3d87f02b5a6e4d17c930f01"}},
    });
}
