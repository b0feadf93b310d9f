#include "auth_api/agent/builtin/vocabulary.hpp"

#include <array>
#include <string>
#include <unordered_map>

namespace recruiting::auth_api::agent::responder {
namespace {

struct row {
    sense is;
    std::string_view words; // between commas; singular where the singular ending tells it
    std::string_view value{};
};

constexpr auto glue = std::to_array<row>({
    {sense::article, "the,a,an,our,my,your,their,this,that,these,those,any,some,current,currently,der,die,das,den,dem,"
                     "des,ein,eine,einen,le,la,les,un,une,el,los,las,una,s,unser,unsere,nos,notre,nuestro,nuestra"},
    {sense::preposition,
     "in,at,for,of,on,to,about,into,within,regarding,under,inside,im,fur,von,bei,zu,am,dans,pour,de,"
     "du,sur,en,para,del,sobre",
     "name"},
    {sense::preposition, "from,with,against,over,during,as,since,than"},
    {sense::named, "named,called,titled,entitled,name is,namens,nomme,llamado,with the name,by the name of"},
    {sense::be, "is,are,was,were,be,been,being,am i,there is,there are,are there,is there,ist,sind,gibt es,y a t il,"
                "il y a,hay,est,sont,es,estan,son"},
    {sense::auxiliary, "do,does,did,have,has,had,get,got,can,could,will,would,should,must,may,haben,hat,a t,avons "
                       "nous,avons-nous,a-t-on,own,owner,hold,"
                       "avons,tenemos,tiene,work,works,belong,sit,exist,need,go,went,come"},
    {sense::pronoun, "i,we,you,me,us,mir,uns,moi,they,he,she,wir,ich,nous,je,on a,nosotros,m,re,ve,ll"},
    {sense::reference, "it,its,there,that job,this job,that role,this role,that position,this position,the same job,"
                       "that one,this one,that pipeline,this pipeline"},
    {sense::conjunction, "and,or,but,und,oder,et,ou,y,o,then,also,so,too"},
    {sense::negation, "not,don,don t,doesn,never,without,no,nicht,pas,dont,aren t,isn t,doesn t,didn t,haven t,hasn t,"
                      "wasn t,weren t,can t,couldn t,cannot,except,excluding,other than,apart from,non,unpublished,"
                      "kein,keine,keinen,ohne,sans,aucun,aucune,sin"},
    {sense::polite, "please,kindly,can you,could you,would you,will you,i want to,i want you to,i would like to,i "
                    "would like you to,i d like you to,i need you to,"
                    "i d like to,i need you to,i need to,go ahead and,just,now,right now,immediately,bitte,"
                    "i d like to know,i would like to know,i want to know,"
                    "s il vous plait,por favor,assistant,ok,okay,well,so,at once,let s,you can,you could"},
    {sense::overall,
     "total,in total,overall,altogether,all in all,database,in the database,system,in the system,at all,"
     "at the moment,at present,today s,insgesamt,au total,en total,actually,already,still,exactly,"
     "everything,anything,something,anybody,anyone,somebody,someone,everybody,everyone,more,one,ones,here"},
});

constexpr auto questions = std::to_array<row>({
    {sense::who, "who,whom,whose,wer,wen,qui,quien,quienes"},
    {sense::what, "what,what is,what s,was ist,quoi,quel,quelle,que,cual,que es"},
    {sense::which, "which,welche,welcher,welches,quels,quelles,lesquels,cuales"},
    {sense::where, "where,wo,ou est,donde"},
    {sense::when, "when,wann,quand,cuando,what time"},
    {sense::how, "how,wie,comment,como"},
    {sense::count, "how many,how much,number of,number,count,amount of,the number of,how big,how large,quantity of,"
                   "wie viele,wieviele,wie viel,anzahl,combien,combien de,combien d,nombre de,cuanto,cuanta,cuantos,"
                   "cuantas,numero de,headcount"},
    {sense::list, "list,show,give,display,print,enumerate,get me,show me,give me,tell me,tell,what about,how about,see,"
                  "view,read,zeige,zeig,liste,nenne,montre,montrez,montre-moi,montrez-moi,affiche,muestra,"
                  "muestrame,mostrar,dime"},
    {sense::find, "find,search,search for,look up,look for,looking for,lookup,locate,suche,finde,cherche,trouve,busca,"
                  "buscar,do you know,do we know"},
    {sense::describe, "describe,tell me about,tell me more about,detail,summary,summarise,summarize,explain,beschreibe,"
                      "decris,information on,information about,info on,info about,more about,status,state"},
    {sense::describe,
     "description,describing,job description,say,about the,requirement,require,responsibility,duty,"
     "beschreibung,descripcion,read me",
     "job"},
    {sense::per, "per,by,each,every,grouped by,broken down by,according to,pro,jede,chaque,cada,von jedem"},
});

constexpr auto recruiting_words = std::to_array<row>({
    {sense::candidate, "candidate,applicant,application,talent,cv,resume,profile,kandidat,kandidaten,bewerber,"
                       "bewerbung,bewerbungen,candidat,candidature,candidato,candidatura,people,person,personen,"
                       "personne,persona,prospect,apply,applying,applies"},
    {sense::candidate_status, "hired,hire,eingestellt,embauche,contratado", "hired"},
    {sense::candidate_status, "rejected,turned down,declined,abgelehnt,refuse,rechazado", "rejected"},
    {sense::candidate_status, "withdrawn,withdrew,dropped out,pulled out,zuruckgezogen,retire", "withdrawn"},
    {sense::candidate_status, "active,in process,in progress,aktiv,actif,activo", "active"},
    {sense::job, "job,position,opening,vacancy,posting,job opening,job posting,open position,requisition,job ad,stelle,"
                 "stellen,stellenangebot,stellenangebote,poste,offre,offre d emploi,emploi,puesto,vacante,empleo,"
                 "oferta de empleo,job offer,positions open,role,the role"},
    {sense::job_status,
     "open,offen,offene,offenen,ouvert,ouverte,abierto,abierta,hiring for,recruiting for,hiring,"
     "recruiting,unfilled",
     "open"},
    {sense::job_status, "draft,drafted,in draft,entwurf,brouillon,borrador", "draft"},
    {sense::job_status, "on hold,paused,on-hold,pausiert,en pause,en pausa", "on_hold"},
    {sense::job_status, "closed,filled,geschlossen,ferme,cerrado", "closed"},
    {sense::job_status, "archived,archiviert,archive,archivado", "archived"},
    {sense::published, "published,public,careers page,on the careers page,online,veroffentlicht,publie,publicado"},
    {sense::pipeline, "pipeline,funnel,hiring pipeline,hiring funnel,recruiting pipeline,hiring process,process,"
                      "prozess,processus,proceso"},
    {sense::stage, "stage,step,phase,round,etape,etapa,stufe"},
    {sense::stage_name, "applied,new,inbox", "applied"},
    {sense::stage_name, "screen,screening,phone screen,phone screening,recruiter screen,hr screen", "screen"},
    {sense::stage_name,
     "interview,interviewing,technical interview,final interview,first interview,second interview,team interview,"
     "phone interview,on-site interview,onsite interview,on-site,onsite,panel interview,entrevista,entretien,gesprach",
     "interview"},
    {sense::stage_name, "assessment,test task,take-home,coding challenge,case study", "assessment"},
    {sense::stage_name, "offer,angebot,oferta", "offer"},
});

constexpr auto organization_words = std::to_array<row>({
    {sense::member, "member,team member,team,colleague,user,teammate,co-worker,coworker,staff,employee,mitglied,"
                    "mitglieder,membre,equipe,miembro,equipo,usuario,benutzer,coworker"},
    {sense::role, "admin,administrator,org admin,organization admin,administrateur,administrador", "admin"},
    {sense::role, "recruiter,recruteur,reclutador", "recruiter"},
    {sense::role, "hiring manager,hiring-manager", "hiring_manager"},
    {sense::role, "interviewer", "interviewer"},
    {sense::role, "viewer,read-only user", "viewer"},
    {sense::organization, "organization,organisation,company,firm,workspace,employer,firma,unternehmen,entreprise,"
                          "empresa,organizacion,business,tenant"},
    {sense::name, "name,nom,nombre"},
    {sense::website,
     "website,web site,site,homepage,home page,web page,web-site,url,web address,careers site,webseite"},
    {sense::time_zone, "time zone,timezone,time-zone,zeitzone,fuseau horaire,zona horaria"},
    {sense::country, "country,land,pays,pais"},
    {sense::identifier, "id,identifier,slug"},
    {sense::location, "location,located,office,city,place,based,town,region,standort,standorte,ort,lieu,ville,ciudad,"
                      "ubicacion,remote,on site,hybrid"},
    {sense::department, "department,departement,abteilung,abteilungen,service,departamento,dept,unit,division"},
    {sense::salary, "salary,pay,wage,compensation,salary range,pay range,gehalt,salaire,salario,paid,earn,"
                    "remuneration"},
    {sense::billing, "plan,billing,subscription,our plan,cost,price,pricing,tarif,abonnement,suscripcion,abrechnung,"
                     "facturation,facturacion,amount due,owe,paying,bill,package,trial"},
    {sense::usage,
     "usage,consumption,agent run,token,used,token usage,tokens used,booking,nutzung,verbrauch,utilisation,"
     "consommation,uso"},
    {sense::seat, "seat,license,licence,platze"},
    {sense::invoice, "invoice,rechnung,rechnungen,facture,factura,receipt"},
});

constexpr auto security_words = std::to_array<row>({
    {sense::audit, "audit,audit log,audit trail,audit-log,activity,activity log,log,history,event,protokoll,journal,"
                   "happened,happen,happening,request,entry,recent activity,auditprotokoll,registro"},
    {sense::change, "change,anderung,anderungen,changement,cambio,modification,update,updates"},
    {sense::deed, "revoked,widerrufen,revoque,revocado", "key.revoked"},
    {sense::deed, "created,create,made,issued,added a key,erstellt,cree,creado", "key.created"},
    {sense::deed, "added,joined,invited", "member.added"},
    {sense::deed, "removed,deleted,kicked out,entfernt,supprime,eliminado", "member.removed"},
    {sense::deed, "restored", "member.restored"},
    {sense::deed, "promoted,demoted,role change,changed the role,role changed", "member.role_changed"},
    {sense::deed, "changed,modified,edited,updated,done,accessed,called,requested,doing,been doing"},
    {sense::failure, "failed,failure,error,denied,forbidden,unsuccessful,refused,blocked,fehlgeschlagen"},
    {sense::key, "key,api key,apikey,api-key,access key,credential,schlussel,api-schlussel,cle,cle api,cle d api,"
                 "cles,cles api,llave,clave,clave api,claves api"},
    {sense::key_state, "expired,abgelaufen,expiree,caducado", "expired"},
    {sense::key_state, "inactive", "inactive"},
    {sense::key_state, "never used,never been used,unused,not used,not been used", "never_used"},
    {sense::expiry, "expire,expiring,expiry,expiration,valid until,run out"},
    {sense::revoke, "revoke,disable,deactivate,invalidate,delete,remove,kill,cancel,widerrufe,widerruf,sperre,"
                    "revoquer,revoquez,revoca,revocar"},
    {sense::all, "all,every single,each and every,alle,tous,toutes,todos,todas,both"},
    {sense::day, "today,heute,aujourd hui,hoy,this morning", "0"},
    {sense::day, "yesterday,gestern,hier,ayer", "1"},
    {sense::day, "this week,diese woche,cette semaine,esta semana", "week"},
    {sense::day, "this month,diesen monat,ce mois,este mes", "month"},
    {sense::number, "two,zwei,deux,dos", "2"},
    {sense::number, "three,drei,trois,tres", "3"},
    {sense::number, "four,vier,quatre,cuatro", "4"},
    {sense::number, "five,funf,cinq,cinco", "5"},
    {sense::number, "seven,sieben,sept,siete", "7"},
    {sense::number, "ten,zehn,dix,diez", "10"},
    {sense::time_unit, "minute,minuten", "60"},
    {sense::time_unit, "hour,stunde,stunden,heure,hora", "3600"},
    {sense::time_unit, "day,tag,tage,tagen,jour,dia", "86400"},
    {sense::time_unit, "week,woche,wochen,semaine,semana", "604800"},
    {sense::time_unit, "month,monat,monate,mois", "2592000"},
    {sense::last, "last,latest,recent,recently,most recent,past,previous,newest,letzten,letzte,dernier,derniere,ultimo,"
                  "ultima,ago,next,soon,soonest"},
});

constexpr auto small_talk = std::to_array<row>({
    {sense::greeting,
     "hello,hi,hey,good morning,good afternoon,good evening,hallo,guten tag,guten morgen,bonjour,salut,"
     "hola,buenos dias,greetings,howdy,moin,how are you"},
    {sense::thanks, "thank,thanks,thank you,thx,cheers,great,perfect,nice,cool,danke,merci,gracias,much appreciated,"
                    "many thanks,vielen dank,thanks a lot"},
    {sense::help, "help,what can you,what do you,capability,able to,hilfe,aide,ayuda,can you do,you can do,you help,"
                  "how do you,what are you,who are you,usage examples"},
});

using dictionary = std::unordered_map<std::string_view, meaning>;

template <std::size_t Size>
void add(dictionary& words, std::array<row, Size> const& rows) {
    for (auto const& row : rows) {
        for (auto rest = row.words; !rest.empty();) {
            auto const comma = rest.find(',');
            words.try_emplace(rest.substr(0, comma), meaning{row.is, row.value});
            rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
        }
    }
}

dictionary make_dictionary() {
    dictionary words;
    add(words, glue);
    add(words, questions);
    add(words, recruiting_words);
    add(words, organization_words);
    add(words, security_words);
    add(words, small_talk);
    return words;
}

} // namespace

std::optional<meaning> find_meaning(std::string_view words) {
    static dictionary const known = make_dictionary();
    auto const found = known.find(words);
    if (found == known.end()) return std::nullopt;
    return found->second;
}

} // namespace recruiting::auth_api::agent::responder
